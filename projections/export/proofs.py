"""The proofs in an export, line by line, and the check that the record matches the checkpoint."""

import base64
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from operator import itemgetter
from typing import Final, Protocol

import msgspec

from domain.facts.envelope import Fact
from domain.facts.property_day import PropertyClosed
from domain.facts.seals import ChainSealed
from domain.facts.table_day import TableClosed
from domain.ledger.checkpoint import Note, NoteKey, parsed_checkpoint, parsed_note
from domain.ledger.seals import KeyRegister, Since
from domain.ledger.stretches import Proven, Stretch, check_proven, check_records, path_of
from domain.ledger.tree import BadProofError, leaf_hash
from projections.export.verifier.stretches import MOST_COVERING

MOST_LEAVES: Final = 250_000
_TIME = "time "
_COSIGNATURE_BYTES, _LATEST_SECOND = 72, 253_402_300_799
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ED25519 = bytes.fromhex("302a300506032b6570032100")  # the prefix of an Ed25519 key in PEM


class DisagreeError(ValueError):
    """The record differs from the checkpoint: no part of it may be exported as proven."""


class _ProofPath(msgspec.Struct, frozen=True):
    sequence: int
    path: tuple[str, ...]


class _Earlier(msgspec.Struct, frozen=True):
    note: str
    consistency: tuple[str, ...]


class _Device(msgspec.Struct, frozen=True):
    key: str
    table: str
    public_key: str
    since: "_KeySince"
    ends: tuple["_KeySince", ...]
    revoked: tuple["_KeySince", ...]
    successor: str
    reason: str


class _KeySince(msgspec.Struct, frozen=True):
    at: int
    stream: str
    sequence: int


def line(told: object) -> bytes:
    """Return an object of an export as one line, its fields in order."""
    return msgspec.json.encode(told) + b"\n"


def covered(stretches: Iterable[Stretch]) -> list[range]:
    """Return the records these stretches of one stream cover: one range if there is no gap."""
    found: list[range] = []
    for each in stretches:
        if found and each.first <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, each.last + 1))
        else:
            found.append(range(each.first, each.last + 1))
    return found


def checked(
    stream: str, places: Sequence[int], stored: Sequence[bytes], proven: Sequence[Proven], head: tuple[int, bytes]
) -> None:
    """Raise unless these records at these places are those of every leaf of the stream up to this checkpoint.

    Records that no leaf covers, and those that two leaves cover, are faults of the record and raise nothing here.
    """
    covering: list[int] = []
    try:
        for each in proven:
            stretch = each.stretch
            begin, end = bisect_left(places, stretch.first), bisect_right(places, stretch.last)
            check_proven(each, *head)
            check_records(stretch, stored[begin:end])
            covering = [*(last for last in covering if last >= stretch.first), stretch.last]
            if len(covering) > MOST_COVERING:
                raise BadProofError(f"more than {MOST_COVERING} leaves cover record {stretch.first}")
        count = sum(map(len, covered(each.stretch for each in proven)))
        if count != len(stored):
            raise BadProofError(f"{count} of its {len(stored)} records are proven")
    except BadProofError as error:
        says = f"{stream} differs from the checkpoint: {error}"
        raise DisagreeError(
            f"{says}. Run catwalk doctor to see what is missing or altered, and restore it from a backup"
        ) from error


def holding(proven: Iterable[Proven], shown: Collection[int]) -> list[Proven]:
    """Return the stretches that hold one of these records."""
    return [each for each in proven if any(map(range(each.stretch.first, each.stretch.last + 1).__contains__, shown))]


def placed(proven: Iterable[Proven], places: Sequence[int], stored: Sequence[bytes], shown: Collection[int]) -> bytes:
    """Return the place of each record in every stretch that covers it, one per line."""
    lines: list[tuple[int, bytes]] = []
    for each in proven:
        stretch = each.stretch
        begin, end = bisect_left(places, stretch.first), bisect_right(places, stretch.last)
        leaves = [leaf_hash(one) for one in stored[begin:end]]
        for sequence in sorted(shown):
            if stretch.first <= sequence <= stretch.last:
                path = path_of(leaves, sequence - stretch.first)
                lines.append((sequence, line(_ProofPath(sequence, tuple(step.hex() for step in path)))))
    return b"".join(each for _, each in sorted(lines, key=itemgetter(0)))


def earlier(note: str, consistency: Iterable[str]) -> bytes:
    """Return the line of an earlier checkpoint."""
    return line(_Earlier(note, tuple(consistency)))


def root_of(note: str) -> bytes:
    """Return the root a checkpoint signs."""
    return parsed_checkpoint(parsed_note(note).text).root


def public_key(key: NoteKey) -> bytes:
    """Return the property's key: in the form of notes, then as PEM."""
    coded = base64.b64encode(_ED25519 + key.public).decode()
    return f"{key.text}\n-----BEGIN PUBLIC KEY-----\n{coded}\n-----END PUBLIC KEY-----\n".encode()


def rotation(note: str) -> bytes:
    """Return the line of a note that registers a key."""
    return line({"note": note})


def time_of(note: str) -> str:
    """Return the time of a checkpoint, as its note states it."""
    told = parsed_checkpoint(parsed_note(note).text)
    times = [each.removeprefix(_TIME) for each in told.more if each.startswith(_TIME)]
    return times[0] if times else ""


class Heads(Protocol):
    """The checkpoints of a property."""

    def sizes(self) -> list[int]:
        """Return the sizes of all checkpoints."""

    def note(self, size: int) -> str:
        """Return the signed note of a checkpoint."""


def earlier_sizes(tree: Heads, size: int, time: str) -> set[int]:
    """Return the sizes of the last checkpoint of each earlier day and of the one just before this one."""
    last: dict[str, int] = {}
    before = sorted(each for each in tree.sizes() if each < size)
    for each in before:
        day = time_of(tree.note(each))[:10]
        if day < time[:10]:
            last[day] = each
    return {*last.values(), *before[-1:]}


class ListedHead(msgspec.Struct, frozen=True, order=True):
    """An earlier head: its own date, and the times of its cosignatures."""

    size: int
    time: str
    seen: tuple[str, ...] = ()


def leaves_due(
    days: tuple[str, str] | None, heads: Iterable[ListedHead], size: int, first_shown: int, most: int = MOST_LEAVES
) -> tuple[int, int] | None:
    """Return the two sizes of the tree between which every leaf must be listed, so that these days are complete.

    The list begins at the last earlier head that an outsider saw before the first day began anywhere, or at the first
    leaf. If those are too many leaves, it begins at the last head dated before that day. It ends at this head, or at
    the first head after the last day that an outsider saw, or that is dated so. It never begins after the first leaf
    shown.
    """
    first, last = (_shifted(days[0], -1), _shifted(days[1], 1)) if days else ("", "~")
    earlier = sorted(head for head in heads if head.size < size)
    before = [head for head in earlier if head.time[:10] < first and head.size <= first_shown]
    seen = [head.size for head in before if any(at and at[:10] < first for at in head.seen)]
    behind = [head for head in earlier if head.time[:10] > last]
    begins = (max(seen, default=0), max((head.size for head in before), default=0))
    ends = (size, *[head.size for head in behind if head.seen][:1], *[head.size for head in behind][:1])
    return next(((begin, end) for begin in begins for end in ends if begin < end <= begin + most), None)


def _shifted(day: str, by: int) -> str:
    try:
        return (date.fromisoformat(day) + timedelta(days=by)).isoformat()
    except OverflowError:
        return day


def listed(begin: int, end: int, peaks: Iterable[str], leaves: Iterable[Stretch]) -> Iterator[bytes]:
    """The lines of the list: its beginning, the subtrees before it, and every leaf as stored."""
    yield line({"from": begin, "to": end, "peaks": list(peaks)})
    for leaf in leaves:
        yield leaf.stored + b"\n"


def signed_by(note: str, origin: str, names: Collection[str]) -> str:
    """Return a note with the property's signature and those of these witnesses."""
    told = parsed_note(note)
    own = tuple(each for each in told.signatures if each.name == origin)
    others = tuple(each for each in told.signatures if each.name != origin and each.name in names)
    return Note(told.text, own + others).stored


def cosigners(note: str, origin: str) -> tuple[str, ...]:
    """Return who cosigned it, in order."""
    return tuple(dict.fromkeys(each.name for each in parsed_note(note).signatures if each.name != origin))


def seen_at(note: str, origin: str) -> tuple[str, ...]:
    """Return the times of its cosignatures; a line that is not a cosignature gives none."""
    first: dict[str, str] = {}
    for each in parsed_note(note).signatures:
        seconds = int.from_bytes(each.value[:8], "big")
        good = len(each.value) == _COSIGNATURE_BYTES and seconds <= _LATEST_SECOND
        if each.name != origin and each.name not in first:
            first[each.name] = f"{(_EPOCH + timedelta(seconds=seconds)).isoformat()[:19]}Z" if good else ""
    return tuple(first.values())


def is_closed(facts: Sequence[Fact]) -> bool:
    """Return whether a stream of facts is closed: only seals follow its close."""
    last = next((fact for fact in reversed(facts) if not isinstance(fact, ChainSealed)), None)
    return isinstance(last, TableClosed | PropertyClosed)


def devices(register: KeyRegister) -> bytes:
    """Return the keys that seal, as registered in the property's facts, one per line."""
    return b"".join(
        line(
            _Device(
                key.key,
                key.table,
                key.public_key,
                _since(key.since),
                tuple(map(_since, key.ends)),
                tuple(map(_since, key.revoked)),
                key.successor,
                key.reason,
            )
        )
        for _, key in sorted(register.keys.items())
    )


def _since(told: Since) -> _KeySince:
    return _KeySince(told.at, told.stream, told.sequence)
