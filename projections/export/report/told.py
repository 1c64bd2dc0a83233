"""What a report is made of: plain data, without a word of layout.

Whoever makes an export fills these in; amounts are whole cents, moments carry their zone, `None` is what nobody knows.
"""

from datetime import datetime

import msgspec

from domain.watch.reconstruction import Reconstruction

MOST_FINDINGS, MOST_HANDS, MOST_TABLES = 300, 60, 400  # printed; the attached tables have them all
MOST_LINES = 60  # of each list a regulator asks for


class Pair(msgspec.Struct, frozen=True):
    """A thing that is said, by its name: `Purpose`, `quarterly audit`."""

    name: str
    says: str


class Edition(msgspec.Struct, frozen=True):
    """An edition of a rule book that was in force."""

    book: str
    title: str
    edition: str
    digest: str


class Bound(msgspec.Struct, frozen=True):
    """The checkpoint a report is bound to; its time is the only one the file itself bears."""

    size: int
    root: str
    at: datetime


class DayLine(msgspec.Struct, frozen=True):
    """A table's gaming day in one line."""

    stream: str
    book: str
    rounds: int
    hands: int
    staked_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    undecided: int
    findings: int
    to_sequence: int  # the last fact that is in the export


class FoundLine(msgspec.Struct, frozen=True):
    """A finding with what its clauses require, and the facts that show it."""

    finding: str
    code: str
    severity: str
    stream: str
    at: datetime | None
    says: str
    clauses: dict[str, str]
    round: int | None = None
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[str, ...] = ()
    basis: str = "certain"
    state: str = "standing"


class OpenLine(msgspec.Struct, frozen=True):
    """How many wagers could not be decided for want of this."""

    what: str
    wagers: int


class Listed(msgspec.Struct, frozen=True):
    """A table of the export, as much of it as is printed."""

    table: str
    rows: tuple[tuple[str, ...], ...] = ()
    more: int = 0  # rows that would have been printed too


class Attached(msgspec.Struct, frozen=True):
    """A file that goes inside the report: its name, what it holds, its bytes."""

    name: str
    about: str
    holds: bytes
    media_type: str = "text/csv"


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a report says."""

    name: str  # of the export: export-3f2a9c0d1e4b5a69
    property: str
    zone: str  # in which its times are told
    software: str
    asked: tuple[Pair, ...]  # purpose, recipient, days, tables, who ordered, who signed ...
    bound: Bound
    editions: tuple[Edition, ...]
    days: tuple[DayLine, ...] = ()
    findings: tuple[FoundLine, ...] = ()
    hands: tuple[Reconstruction, ...] = ()
    decided: int = 0  # wagers whose settlement could be checked
    undecided: tuple[OpenLine, ...] = ()
    notes: tuple[str, ...] = ()  # whatever else a reader has to know, a sentence each
    lists: tuple[Listed, ...] = ()
    attached: tuple[Attached, ...] = ()
    key: str = ""  # fingerprint of the property's key, by which the reader may know it
