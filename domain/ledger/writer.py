"""The single writer of each stream, which numbers and chains facts; pure, without file or key handling.

An input is a fact without a place: its stream is a table's name, or that table's open day in full. The writer puts it
behind the stream's last fact, or says why it cannot. The same input again is a repeat; the same key with other content
is refused.
"""

from datetime import date
from typing import Literal

import msgspec

from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, RoundVoided
from domain.facts.property_day import KeyRegistered, KeyRotated, PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.streams import FORMAT, PROPERTY, BadStreamError, is_stream, owner, stream
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.table_money import DropCounted
from domain.ledger.chain import digest
from domain.ledger.declared import DECLARING, TableDeclared, evolve
from domain.rulebooks import edition_on, editions

SEAL_EVERY = 1_000_000  # most microseconds of facts between two seals
_OPENINGS = (TableOpened, PropertyOpened)
_CLOSINGS = (TableClosed, PropertyClosed)

Refusal = Literal[
    "already numbered",
    "stream unnamed",
    "day not open",
    "day already opened",
    "day closed",
    "another day open",
    "key used for another fact",
    "seals are the writer's",
]


class InputRefusal(msgspec.Struct, frozen=True):
    """The refusal of an input: the reason, and a sentence that says what to do."""

    reason: Refusal
    says: str


class PlacedFact(msgspec.Struct, frozen=True):
    """A fact with its place, and the bytes that are hashed, stored and sent."""

    fact: Fact
    stored: bytes
    own: str


class WriterDay(msgspec.Struct):
    """A stream's state, as its writer keeps it."""

    stream: str
    sequence: int = 0
    head: str = ""
    closed: bool = False
    unsealed: int = 0
    unsealed_since: int = 0
    seal_due: bool = False
    last_at: int = 0  # the latest time of its facts


class Writer(msgspec.Struct):
    """Every owner's newest day, and this writer's epoch, which each start of a writer increases by one."""

    epoch: int
    days: dict[str, WriterDay] = {}
    declared: dict[str, TableDeclared] = {}  # by each table in the opening of its newest day


def content(fact: Fact) -> str:
    """Return the digest of what a source reported, regardless of its place and of repeated signatures."""
    bare = msgspec.structs.replace(fact, stream=owner(fact.stream), sequence=0, previous="", source_signature=None)
    if isinstance(bare, KeyRegistered | KeyRotated):  # the gateway may add the record to start from
        bare = msgspec.structs.replace(bare, from_stream="", from_sequence=0)
    if isinstance(bare, _OPENINGS):
        bare = msgspec.structs.replace(bare, stream="", writer_epoch=0, previous_stream="", previous_head="")
    return digest(encode(bare))


def with_edition(fact: Fact, known: str = "") -> Fact:
    """Return an opening with the digest of its rule book, if it came without: the edition in force on its day.

    An edition installed later may take its place. So for an input that is known, it is the edition that was in force
    when the input first came: the content is the known one again, and the input a repeat.
    """
    if not isinstance(fact, TableOpened) or fact.book_digest:
        return fact
    for each in editions(fact.book) if known else ():
        then = msgspec.structs.replace(fact, book_digest=each.digest)
        if content(then) == known:
            return then
    return msgspec.structs.replace(fact, book_digest=edition_on(fact.book, fact.gaming_day).digest)


def located(writer: Writer, fact: Fact) -> Fact | InputRefusal:
    """Return the input with its stream in full, or the reason it has none."""
    if fact.sequence or fact.previous:
        return InputRefusal(
            "already numbered", f"{fact.id} is already numbered: a source must send neither sequence nor previous"
        )
    if isinstance(fact, ChainSealed):
        return InputRefusal("seals are the writer's", "the writer makes the seals; a source must not send one")
    if isinstance(fact, _OPENINGS):
        return _opening(writer, fact)
    name = owner(fact.stream)
    if not name:
        return InputRefusal(
            "stream unnamed", "the input names no stream: give the table, or the table and its gaming day"
        )
    if name != fact.stream and not is_stream(fact.stream):
        return InputRefusal("stream unnamed", f"{fact.stream!r} is not the name of a stream: write it like {FORMAT}")
    day = writer.days.get(name)
    if day is None:
        return InputRefusal("day not open", f"no day of {name} is open: send its opening first")
    if fact.stream not in (name, day.stream):
        return InputRefusal("another day open", f"{fact.stream} is not the open day of {name}, which is {day.stream}")
    if day.closed:
        return InputRefusal("day closed", f"{day.stream} is closed: {_after_the_close(day, fact)}")
    return msgspec.structs.replace(fact, stream=day.stream)


def _after_the_close(day: WriterDay, fact: Fact) -> str:
    """Return how to record a fact of a closed day; the closing is its last fact but for a seal."""
    if not isinstance(fact, DropCounted):
        return "send a correction into the next day's stream"
    closing = day.sequence if day.unsealed else day.sequence - 1
    says = f"once the next day is open, send a corrected.1 there that corrects fact {closing} of {day.stream}, the"
    says += f' closing: "reads":{{"drop_cents":{fact.cents}}}. A drop-counted.1 there would count for the next day'
    return says


def _opening(writer: Writer, fact: TableOpened | PropertyOpened) -> Fact | InputRefusal:
    name = fact.table if isinstance(fact, TableOpened) else PROPERTY
    if isinstance(fact, TableOpened) and name == PROPERTY:
        return InputRefusal(
            "stream unnamed", f"{PROPERTY!r} is not a table: open the property's day with property-opened"
        )
    try:
        whole = str(stream(f"{name}/{fact.gaming_day}"))
        date.fromisoformat(fact.gaming_day)
    except BadStreamError as error:
        return InputRefusal("stream unnamed", str(error))
    except ValueError:
        return InputRefusal("stream unnamed", f"{fact.gaming_day!r} is not a calendar day: write it like 2026-11-18")
    day = writer.days.get(name)
    if day is not None and day.stream >= whole:
        return InputRefusal("day already opened", f"{whole} cannot be opened: {name} already has the day {day.stream}")
    return msgspec.structs.replace(
        fact,
        stream=whole,
        writer_epoch=writer.epoch,
        previous_stream=day.stream if day else "",
        previous_head=day.head if day else "",
    )


def place(writer: Writer, fact: Fact) -> PlacedFact:
    """Return a located fact with its place behind the last of its stream, and advance the writer's day."""
    name = owner(fact.stream)
    if isinstance(fact, _OPENINGS):
        writer.days[name] = WriterDay(fact.stream)
    day = writer.days[name]
    placed = msgspec.structs.replace(fact, sequence=day.sequence + 1, previous=day.head)
    stored = encode(placed)
    day.sequence, day.head, day.last_at = placed.sequence, digest(stored), max(day.last_at, fact.at)
    if isinstance(fact, ChainSealed):
        day.unsealed, day.seal_due = 0, False
    else:
        day.unsealed_since = day.unsealed_since if day.unsealed else fact.at
        day.unsealed += 1
        round_over = isinstance(fact, (RoundCompleted, RoundVoided, *_CLOSINGS))
        day.seal_due = day.seal_due or round_over or fact.at - day.unsealed_since >= SEAL_EVERY
    day.closed = day.closed or isinstance(fact, _CLOSINGS)
    if isinstance(fact, DECLARING) and (here := evolve(writer.declared.get(name), fact)) is not None:
        writer.declared[name] = here
    return PlacedFact(placed, stored, day.head)
