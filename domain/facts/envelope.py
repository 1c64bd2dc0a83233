"""The envelope of every fact: its place in the record, its time and its source.

A fact says what happened and never judges it. It belongs to one stream: a table's or the property's gaming day. Only
that stream's writer gives it a sequence and the hash of the fact before it. Its stored form is one flat JSON object,
and the hash is taken over those bytes.
"""

from typing import Annotated, ClassVar

import msgspec

MOST = 2**53 - 1  # of places and records: every reader of JSON, table or database represents such a number exactly
# These limits are far beyond any real table. They keep sums over one device's reports within plain integers.
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
LATEST = 253_402_127_999_999_999  # the end of 9999-12-29: a time that clocks in every zone can show
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
    """The envelope. The writer sets `sequence` and `previous`; a fact that is not recorded yet has neither."""

    at: Microseconds  # when it happened, UTC
    source: Name  # the device or post that reports it
    source_key: Name  # the source's own key; two facts with the same key are the same fact
    stream: str = ""  # such as T7/2026-11-18 or property/2026-11-18
    sequence: Count = 0  # starts at 1
    previous: str = ""  # SHA-256 of the fact before, in hex; empty for the first of a stream
    round: Rounds | None = None
    camera: str | None = None
    time_code: str | None = None
    source_signature: str | None = None  # from a source that signs its lines: Ed25519, 64 bytes in hex

    TOPIC: ClassVar[str] = ""

    @property
    def originator_id(self) -> str:
        """The stream, under the event-sourcing library's name for it."""
        return self.stream

    @property
    def originator_version(self) -> int:
        """The sequence, under the event-sourcing library's name for it."""
        return self.sequence

    @property
    def id(self) -> str:
        """The permanent name of a fact: its stream and its sequence."""
        return f"{self.stream}:{self.sequence}"
