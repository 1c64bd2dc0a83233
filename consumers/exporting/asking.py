"""Turn an order into a question bound to a checkpoint, with the property's zone and its days' editions."""

from collections.abc import Collection, Sequence
from importlib.metadata import version
from typing import Final

from consumers.exporting.record import ExportableRecord, Tree
from consumers.exporting.selecting import Selection
from consumers.logs.log import Log
from domain.facts import codec
from domain.facts.codec import UnreadableFactError
from domain.facts.property_day import PropertyOpened
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import TableOpened
from domain.ledger.checkpoint import parsed_checkpoint, parsed_note
from domain.rulebooks import BOOKS, RuleBook, edition, newest
from projections.export import layout, proofs
from projections.export.question import (
    BadQuestionError,
    BoundCheckpoint,
    ExportQuestion,
    Identities,
    NamedEdition,
    Scope,
    checked,
    line_of,
)

_MOST_LETTERS: Final = 100  # the longest name of a zone


class NoCheckpointError(Exception):
    """A missing checkpoint to bind an export to; the message says what to do."""


def bound_to(tree: Tree, size: int | None, cosigned_by: Collection[str] | None = None) -> BoundCheckpoint:
    """A checkpoint, by default the newest, with all its cosignatures so far or only the named ones."""
    sizes = tree.sizes()
    if not sizes:
        raise NoCheckpointError("an export needs a checkpoint, and there is none yet: run catwalk checkpoint")
    if size is not None and size not in sizes:
        near = min(sizes, key=lambda each: (abs(each - size), each))
        says = f"there is no checkpoint of {size} leaves"
        raise NoCheckpointError(f"{says}: name the nearest, of {near} leaves, or the newest, of {sizes[-1]}")
    note = tree.note(sizes[-1] if size is None else size)
    head = parsed_checkpoint(parsed_note(note).text)
    there = proofs.cosigners(note, head.origin)
    if missing := set(cosigned_by or ()) - set(there):
        raise NoCheckpointError(f"{min(missing)} has not cosigned the checkpoint of {head.size} leaves")
    names = there if cosigned_by is None else tuple(name for name in there if name in cosigned_by)
    time = proofs.time_of(note)
    return BoundCheckpoint(
        head.origin, head.size, head.root.hex(), time, names, _earlier(tree, head.size, time, cosigned_by)
    )


def _earlier(tree: Tree, size: int, time: str, names: Collection[str] | None) -> dict[str, tuple[int, ...]]:
    """The cosigners of an export's earlier heads: each day's last head, and the last head with any cosignature."""
    seen: dict[int, list[str]] = {}
    days: dict[str, int] = {}
    before = sorted(each for each in tree.sizes() if each < size)
    for each in before:
        note = tree.note(each)
        origin, day = parsed_checkpoint(parsed_note(note).text).origin, proofs.time_of(note)[:10]
        there = [name for name in proofs.cosigners(note, origin) if names is None or name in names]
        if there and (day < time[:10] or each == before[-1]):
            seen[each] = there
            days[day] = each
    kept = {*proofs.earlier_sizes(tree, size, time), *days.values()}
    found: dict[str, list[int]] = {}
    for each in sorted(kept & seen.keys()):
        for name in seen[each]:
            found.setdefault(name, []).append(each)
    return {name: tuple(sizes) for name, sizes in sorted(found.items())}


def question_of(
    tree: Tree,
    facts: Log,
    *,
    scope: Scope,
    purpose: str,
    recipient: str,
    ordered_by: str,
    signed_by: str,
    bound: BoundCheckpoint,
    books: tuple[NamedEdition, ...],
    identities: Identities = "tokens",
) -> ExportQuestion:
    """The question; missing or contradictory parts raise an error."""
    who, by_whom = line_of(ordered_by, "who orders it"), line_of(signed_by, "who signs it")
    if who == by_whom:
        raise BadQuestionError(f"{who} ordered this export, so another person must sign it")
    return ExportQuestion(
        scope=checked(scope),
        purpose=line_of(purpose, "the purpose of the export"),
        recipient=line_of(recipient, "who receives the export"),
        ordered_by=who,
        signed_by=by_whom,
        checkpoint=bound,
        zone=zone_at(tree, facts, bound.size),
        software=f"catwalk {version('catwalk')}",
        books=books,
        files=layout.HOLDS,
        identities=identities,
    )


def editions(record: ExportableRecord, selection: Selection) -> tuple[NamedEdition, ...]:
    """The editions that the chosen days' openings name; for other books, the newest."""
    named: dict[str, dict[str, NamedEdition]] = {book: {} for book in sorted(BOOKS)}
    for stream in record.streams("facts"):
        opened = record.first(stream) if stream in selection.whole or selection.may_be_in_part(stream) else None
        if isinstance(opened, TableOpened) and opened.book_digest not in named[opened.book]:
            known = edition(opened.book, opened.book_digest)
            if known is not None:
                named[opened.book][opened.book_digest] = _named(known, opened.book_digest)
    return tuple(
        each
        for book, held in named.items()
        for each in ([held[digest] for digest in sorted(held)] or [_named(newest(book), newest(book).digest)])
    )


def _named(book: RuleBook, digest: str) -> NamedEdition:
    return NamedEdition(book.book, digest, book.title, book.shipped)


def zone_at(tree: Tree, facts: Log, size: int) -> str:
    """The property's time zone, from its last opening up to the checkpoint."""
    days = [stream for kind, stream, _ in tree.streams(size) if kind == "facts" and owner(stream) == PROPERTY]
    for stream in sorted(days, reverse=True):
        opened = opening(facts, stream)
        if isinstance(opened, PropertyOpened):
            # A source may write any text here; a text that is not a zone's name does not enter a question.
            return opened.zone if opened.zone.isprintable() and len(opened.zone) <= _MOST_LETTERS else "UTC"
    return "UTC"


def opening(facts: Log, stream: str) -> object:
    """The first record of a stream of facts, as far as it can be read."""
    begins = facts.begins(stream)
    found: Sequence[tuple[int, bytes]] = facts.read(begins.partition, begins.position - 1, 1) if begins else ()
    try:
        return codec.as_written(found[0][1]) if found else None
    except UnreadableFactError:
        return None
