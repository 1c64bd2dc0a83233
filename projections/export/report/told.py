"""The data of a report, without any layout.

The maker of an export fills these in. Amounts are whole cents, moments carry their zone, and `None` means unknown.
"""

from datetime import datetime

import msgspec

from domain.watch.reconstruction import Reconstruction

MOST_FINDINGS, MOST_HANDS, MOST_TABLES = 300, 60, 400  # printed at most; the attached tables have all
MOST_LINES = 60  # printed at most of each regulator's list


class LabeledValue(msgspec.Struct, frozen=True):
    """A name and its value: `Purpose`, `quarterly audit`."""

    name: str
    says: str


class ReportEdition(msgspec.Struct, frozen=True):
    """An edition of a rule book that was in force."""

    book: str
    title: str
    edition: str
    digest: str


class ReportCheckpoint(msgspec.Struct, frozen=True):
    """The checkpoint a report is bound to; its time is the only date in the file."""

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
    """A finding with the requirements of its clauses, and the facts that show it."""

    finding: str
    code: str
    severity: str
    stream: str
    at: datetime | None
    says: str
    clauses: dict[str, str]
    round: int | None = None
    to_round: int | None = None
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[str, ...] = ()
    basis: str = "certain"
    state: str = "standing"


class OpenLine(msgspec.Struct, frozen=True):
    """The number of wagers left undecided because one thing is missing."""

    what: str
    wagers: int


class PrintedTable(msgspec.Struct, frozen=True):
    """A table of the export, as far as it is printed."""

    table: str
    rows: tuple[tuple[str, ...], ...] = ()
    more: int = 0  # rows left out on paper


class Attached(msgspec.Struct, frozen=True):
    """A file inside the report: its name, a description, its bytes."""

    name: str
    about: str
    holds: bytes
    media_type: str = "text/csv"


class ReportContent(msgspec.Struct, frozen=True, kw_only=True):
    """The whole content of a report."""

    name: str  # of the export: export-3f2a9c0d1e4b5a69
    property: str
    zone: str  # the zone of its times
    software: str
    asked: tuple[LabeledValue, ...]  # purpose, recipient, days, tables, who ordered, who signed ...
    bound: ReportCheckpoint
    editions: tuple[ReportEdition, ...]
    days: tuple[DayLine, ...] = ()
    findings: tuple[FoundLine, ...] = ()
    hands: tuple[Reconstruction, ...] = ()
    decided: int = 0  # wagers whose settlement could be checked
    undecided: tuple[OpenLine, ...] = ()
    notes: tuple[str, ...] = ()  # other notes for the reader, one sentence each
    lists: tuple[PrintedTable, ...] = ()
    attached: tuple[Attached, ...] = ()
    key: str = ""  # fingerprint of the property's key
