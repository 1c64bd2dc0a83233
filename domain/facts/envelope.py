"""What every fact carries besides its own news: where it stands, when it happened, who says so.

A fact says what happened and is never a verdict. It stands in one stream, a table's or the property's gaming day,
at a sequence only that stream's writer gives, behind the hash of the fact before it. Its stored form is one flat
JSON object; those bytes are what is hashed.
"""

from typing import Annotated, ClassVar

import msgspec

MOST = 2**53 - 1  # of places and records: every reader of JSON, table or database holds such a number exactly
# What a table can see has limits far beyond any table, so that sums of what one device says stay numbers everywhere.
MOST_CENTS = 100_000_000_000  # a billion dollars
MOST_ROUNDS = 1_000_000
MOST_CARDS = 10_000
Cents = Annotated[int, msgspec.Meta(ge=0, le=MOST_CENTS)]
Count = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Rounds = Annotated[int, msgspec.Meta(ge=0, le=MOST_ROUNDS)]  # rounds of a day, and chips handed over
Cards = Annotated[int, msgspec.Meta(ge=0, le=MOST_CARDS)]  # cards, decks, hands and places among them
Seat = Annotated[int, msgspec.Meta(ge=1, le=12)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=128)]
Digest = Annotated[str, msgspec.Meta(min_length=64, max_length=64)]
LATEST = 253_402_127_999_999_999  # the end of 9999-12-29: a time that every zone's clock can show
Microseconds = Annotated[int, msgspec.Meta(ge=0, le=LATEST)]  # since 1970, UTC


class Fact(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    gc=False,
):
    """The envelope. `sequence` and `previous` are the writer's: a fact that is not yet recorded has neither."""

    at: Microseconds  # of occurrence, UTC
    source: Name  # the device or post that says so
    source_key: Name  # the source's own key: the same key twice is the same fact
    stream: str = ""  # T7/2026-11-18, property/2026-11-18
    sequence: Count = 0  # from 1
    previous: str = ""  # SHA-256 of the bytes before, in hex; empty for the first of a stream
    round: Rounds | None = None
    camera: str | None = None
    time_code: str | None = None
    source_signature: str | None = None  # of a source that signs its lines: Ed25519, 64 bytes in hex

    TOPIC: ClassVar[str] = ""

    @property
    def originator_id(self) -> str:
        """The stream, as the event-sourcing library calls it."""
        return self.stream

    @property
    def originator_version(self) -> int:
        """The sequence, as the event-sourcing library calls it."""
        return self.sequence

    @property
    def id(self) -> str:
        """A fact's name for ever: its stream and its place there."""
        return f"{self.stream}:{self.sequence}"
