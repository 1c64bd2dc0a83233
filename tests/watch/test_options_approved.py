"""A table opens with options that are approved for its game at that hour; where nobody records approvals it is silent."""

from collections.abc import Mapping
from typing import Any

import pytest

from domain.facts.envelope import Fact
from domain.facts.property_day import OptionsApproved, PropertyClosed, PropertyOpened
from domain.facts.streams import owner
from domain.facts.table_day import TableClosed, TableOpened
from domain.rulebooks import newest
from domain.watch.corrected import WatchedRecord
from domain.watch.record import FindingRaised
from domain.watch.table_claims import KeptDay, TableClaims
from domain.watch.table_pairs import compared
from tests.watch.together import together

DAY, NEXT, LATER = "2026-11-18", "2026-11-19", "2026-11-25"
HOUR = 3_600_000_000
A, B = {"trips_table": "A"}, {"trips_table": "B"}
CODE = "options-not-approved"
Options = Mapping[str, Any]


class Office:
    """The property's stream of one day."""

    def __init__(self, day: str = DAY, number: int = 0) -> None:
        self.stream, self.number = f"property/{day}", number
        self.facts: list[Fact] = []
        self._say(PropertyOpened, number, day, 1, "Casino", "America/New_York", "06:00")

    def approves(self, hour: float, options: Options, book: str = "UTH-MD", submission: str = "") -> "Office":
        """The regulator's answer came in."""
        return self._say(OptionsApproved, hour, book, dict(options), submission)

    def closes(self) -> "Office":
        """The day is over."""
        return self._say(PropertyClosed, self.number + 20, 2)

    def _say(self, kind: type[Fact], hour: float, *values: Any) -> "Office":
        at, sequence = round(hour * HOUR), len(self.facts) + 1
        place = {"at": at, "source": "office", "stream": self.stream, "sequence": sequence}
        self.facts.append(kind(*values, **place, source_key=f"{self.stream}:{sequence}"))
        return self


def table(hour: float, options: Options, *, day: str = DAY, book: str = "UTH-MD", name: str = "T1") -> list[Fact]:
    """A table that opens at this hour with these options, and closes."""
    place = {"source": "pit", "stream": f"{name}/{day}"}
    digest, limits = newest(book).digest, 6
    opened = TableOpened(
        *(name, day, 1, book, digest, dict(options), "manual-shoe", limits),
        **place, at=round(hour * HOUR), source_key=f"{name}:{day}:1", sequence=1,
    )  # fmt: skip
    closed = TableClosed(at=round(hour * HOUR) + HOUR, **place, source_key=f"{name}:{day}:2", sequence=2)
    return [opened, closed]


def found(*streams: list[Fact]) -> list[tuple[str, str, str]]:
    """The findings: place, words, and the other findings beside them."""
    told = [each for each in together(fact for stream in streams for fact in stream) if each.code == CODE]
    return [(each.stream, each.says, each.beside) for each in told]


SAYS = "Table T1 opened with options of UTH-MD that nobody had approved: trips table."
HIT = [(f"T1/{DAY}", SAYS, f"property/{DAY}:2")]

# What the office says in the morning, and what the table opens with at ten: silent.
SILENT = {
    "the options approved": (Office().approves(7, B), B),
    "nobody records approvals": (Office(), B),
    "another game's were approved": (Office().approves(7, {}, "UTH-MA"), B),
    "approved after the opening": (Office().approves(11, A), B),
    "a default that is written out": (Office().approves(7, {}), A),
    "a default that is left out": (Office().approves(7, A), {}),
    "one of two submissions": (Office().approves(7, A, submission="1").approves(8, B, submission="2"), A),
    "the newest of one submission": (Office().approves(7, A).approves(8, B), B),
    "an option nobody can read is reported by itself": (Office().approves(7, A), {"trips_table": "Z"}),
}


@pytest.mark.parametrize("name", SILENT)
def test_approved_options_are_silent(name: str) -> None:
    office, options = SILENT[name]
    assert found(office.closes().facts, table(10, options)) == []


def test_an_option_nobody_approved_is_found() -> None:
    assert found(Office().approves(7, A).closes().facts, table(10, B)) == HIT


def test_what_an_approval_replaced_is_no_longer_approved() -> None:
    office = Office().approves(7, B).approves(8, A).closes()
    assert found(office.facts, table(10, B)) == [(f"T1/{DAY}", SAYS, f"property/{DAY}:3")]
    assert found(office.facts, table(7.5, B)) == []  # at that hour it was


def test_the_sentence_names_what_differs_from_the_approval_nearest_to_it() -> None:
    near, far = {**A, "blind_table": "B"}, {**A, "payout_cap": 9_000_000}
    office = Office().approves(7, far, submission="1").approves(8, near, submission="2").closes()
    ((_, says, _),) = found(office.facts, table(10, {**A, "blind_table": "B", "bad_beat_table": "A"}))
    assert says == "Table T1 opened with options of UTH-MD that nobody had approved: bad beat table."


def test_a_dealing_method_that_was_not_approved_is_found() -> None:
    office = Office().approves(7, {**A, "dealing_method": "hand", "shuffler": "automated"}).closes()
    ((_, says, _),) = found(office.facts, table(10, {**A, "shuffler": "automated"}))
    assert says.endswith(": dealing method.")


def test_tables_of_a_game_may_open_with_different_options() -> None:
    """The property alone says which options are approved; one table does not contradict another."""
    both = [*table(10, A), *table(11, B, name="T2")]
    assert together(both) == []
    office = Office().approves(7, A, submission="1").approves(8, B, submission="2").closes()
    assert together([*office.facts, *both]) == []


def test_the_same_is_found_when_days_are_compared_at_their_end() -> None:
    first, then = Office().approves(7, A).closes(), Office(NEXT, 24).closes()
    facts = [*first.facts, *table(10, B), *then.facts, *table(34, B, day=NEXT), *table(35, A, day=NEXT, name="T2")]
    days: dict[str, list[KeptDay]] = {}

    def keep(stream: str, stored: bytes) -> None:
        days.setdefault(stream.partition("/")[2], []).append(KeptDay(stream, stored))

    def from_day(stream: str) -> list[str]:
        return sorted({each.stream for each in facts if owner(each.stream) == owner(stream) and each.stream >= stream})

    claims = TableClaims(
        WatchedRecord(lambda stream: [each for each in facts if each.stream == stream], from_day), keep
    )
    for fact in facts:
        claims.take(fact)
    latest = claims.end()
    made = [each.record for day in sorted(days) for each in compared(days[day], latest)]
    assert [(each.stream, each.says) for each in made if isinstance(each, FindingRaised)] == [
        (f"T1+property/{DAY}", SAYS),
        (f"T1+property/{NEXT}", SAYS),
    ]


@pytest.mark.parametrize("day", [NEXT, LATER])
def test_an_approval_holds_on_later_days(day: str) -> None:
    """Whether the next day or a week later, and whatever else the property says on that day."""
    first, then = Office().approves(7, A).closes(), Office(day, 200).closes()
    assert found(first.facts, then.facts, table(210, A, day=day)) == []
    (hit,) = found(first.facts, then.facts, table(210, B, day=day))
    assert hit == (f"T1/{day}", SAYS, f"property/{day}:1")


def test_the_same_is_found_whichever_stream_is_read_first() -> None:
    office = Office().approves(7, A).closes().facts
    assert found(table(10, B), office) == found(office, table(10, B)) == HIT


def test_an_approval_told_late_of_the_day_before_counts_for_the_days_that_open_after_it() -> None:
    first, then = Office().approves(7, A).closes(), Office(NEXT, 24).closes()
    late = Office().approves(7, A).closes().approves(9, B).facts[-1:]
    assert found(first.facts, late, then.facts, table(34, B, day=NEXT)) == []
