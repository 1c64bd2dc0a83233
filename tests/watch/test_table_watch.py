"""The watch over a table: late facts, corrections, and the same bytes from every watcher."""

from collections.abc import Sequence

import msgspec
import pytest

from domain.facts.codec import encode
from domain.facts.deal import CardDealt, RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.facts.wagers import BetsClosed, WagerPlaced
from domain.facts.watching import Corrected
from domain.following import Link
from domain.ledger.chain import digest
from domain.rulebooks import newest
from domain.watch import table_watch
from domain.watch.corrected import WatchedRecord
from domain.watch.findings_stream import Book, Written, opened, reopened
from domain.watch.record import FindingRaised, FindingRevised, FindingWithdrawn, decode
from domain.watch.table_watch import TableWatch
from tests.watch.harness import recorded

DIGEST = newest("COL").digest
CODE = "no-more-bets-missing"
STREAM = "T7/2026-11-18"


class Told:
    """A day written down by hand."""

    def __init__(self, day: str = "2026-11-18") -> None:
        self.facts: list[Fact] = []
        self.count = 0
        self.day = day
        self.say(TableOpened, "T7", day, 0, "COL", DIGEST, {}, "manual-shoe", 6)

    def say(self, kind: type[Fact], *fields: object, number: int | None = None, **named: object) -> None:
        self.count += 1
        key = f"{self.day}:{self.count}"
        made = kind(*fields, at=self.count * 1000, source="post", source_key=key, stream="T7", round=number, **named)
        self.facts.append(made)

    def round(self, number: int, *, call: bool = True, call_entered_as: int | None = None) -> "Told":
        self.say(RoundOpened, "deck-1", number=number)
        self.say(WagerPlaced, 1, "ante", 1000, number=number)
        if call:
            self.say(BetsClosed, number=call_entered_as or number)
        self.say(CardDealt, "seat", 1, 1, number=number)
        self.say(RoundCompleted, number=number)
        return self


class Watched:
    """A watch over numbered facts that keeps what it wrote."""

    def __init__(self) -> None:
        self.log: list[Fact] = []
        self.written: list[Written] = []
        self.begin()

    def begin(self) -> None:
        """A watch that knows only what the two logs hold."""
        self.books: dict[str, Book] = {}
        self.watch = TableWatch(WatchedRecord(self.facts, self.from_day), self.book)

    def facts(self, stream: str) -> list[Fact]:
        return [fact for fact in self.log if fact.stream == stream]

    def from_day(self, stream: str) -> list[str]:
        return sorted({fact.stream for fact in self.log if fact.stream >= stream})

    def book(self, stream: str) -> Book:
        """Records about a stream, read back from the bytes."""
        if stream not in self.books:
            links = [Link(decode(w.stored), digest(w.stored)) for w in self.written if w.record.stream == stream]
            today = self.watch.verifier.day.stream if self.watch.verifier else stream
            self.books[stream] = opened(stream, links) if stream >= today else reopened(stream, links)
        return self.books[stream]

    def take(self, facts: Sequence[Fact]) -> "Watched":
        for fact in facts:
            self.log.append(fact)
            self.written += self.watch.take(fact, digest(encode(fact)))
        return self

    def of(self, code: str) -> list[str]:
        """The records of a code's findings, in order."""
        return [type(record).__name__ for record in self._about(code)]

    def streams_of(self, code: str) -> list[str]:
        """The streams these records belong to."""
        return [record.stream for record in self._about(code)]

    def _about(self, code: str) -> list[Fact]:
        names = {each.record.finding for each in self.written if getattr(each.record, "code", "") == code}  # type: ignore[attr-defined]
        return [each.record for each in self.written if getattr(each.record, "finding", "") in names]


def test_a_corrected_round_number_withdraws_the_finding_it_explains() -> None:
    told = Told().round(1).round(2, call_entered_as=1)
    told.round(3)
    watched = Watched().take(recorded(told.facts))
    assert watched.of(CODE) == ["FindingRaised"]
    called = next(fact for fact in reversed(watched.log) if isinstance(fact, BetsClosed) and fact.round == 1)
    told.say(Corrected, called.stream, called.sequence, {"round": 2}, "entered for the wrong round")
    watched.take(recorded(told.facts)[-1:])
    assert watched.of(CODE) == ["FindingRaised", "FindingWithdrawn"]
    gone = watched.written[-1].record
    assert isinstance(gone, FindingWithdrawn)
    assert gone.explained_by == len(told.facts)


def test_a_fact_that_never_happened_is_corrected_away_and_the_finding_appears() -> None:
    told = Told().round(1)
    called = recorded(told.facts)[3]
    assert isinstance(called, BetsClosed)
    told.say(Corrected, called.stream, called.sequence)
    assert Watched().take(recorded(told.facts)).of(CODE) == ["FindingRaised"]


def test_a_correction_of_yesterday_folds_yesterday_again_and_leaves_today_alone() -> None:
    yesterday = Told("2026-11-17").round(1, call=True).round(2, call_entered_as=1)
    yesterday.say(TableClosed)
    today = Told().round(1, call=False)
    today.say(Corrected, "T7/2026-11-17", 9, {"round": 2})
    facts = recorded([*yesterday.facts, *today.facts])
    watched = Watched().take(facts)
    assert isinstance(facts[8], BetsClosed)
    assert watched.of(CODE) == ["FindingRaised", "FindingRaised", "FindingWithdrawn"]
    assert watched.streams_of(CODE) == ["T7/2026-11-17", "T7/2026-11-18", "T7/2026-11-17"]


YESTERDAY, TODAY = "T7/2026-11-17", "T7/2026-11-18"
# what it is about, what that should have said, and what is said of the correction
UNREAD = {
    "a field that cannot be": (TODAY, 4, {"round": "one"}, "the new value of round does not fit that fact."),
    "a field it has not": (TODAY, 4, {"cents": 5, "round": 1}, "the new value of cents does not fit that fact."),
    "another table": ("T8/2026-11-17", 4, {"round": 1}, "that fact belongs to another table."),
    "a day to come": ("T7/2026-11-19", 4, {"round": 1}, "that fact had not happened yet."),
    "itself": (TODAY, 7, {"reason": "it was late"}, "that fact had not happened yet."),
    "a fact that is none": (YESTERDAY, 9, {"round": 1}, "no such fact is on record."),
    "a correction": (YESTERDAY, 7, {"reads": {}}, "that fact is itself a correction, so correct the original fact"),
}


@pytest.mark.parametrize("name", UNREAD)
def test_a_correction_nobody_can_read_changes_nothing_and_is_a_finding(name: str) -> None:
    stream, sequence, reads, why = UNREAD[name]
    yesterday = Told("2026-11-17").round(1)
    yesterday.say(Corrected, YESTERDAY, 4, {"round": 1})
    yesterday.say(TableClosed)
    today = Told().round(1)
    today.say(Corrected, stream, sequence, reads)
    facts = recorded([*yesterday.facts, *today.facts])
    corrections = [fact for fact in facts if isinstance(fact, Corrected)]
    assert [fact.sequence for fact in corrections] == [7, 7]
    watched = Watched().take(facts)
    assert watched.of(CODE) == []
    assert watched.of("correction-unreadable") == ["FindingRaised"]
    assert watched.streams_of("correction-unreadable") == [TODAY]
    (raised,) = (
        each.record
        for each in watched.written
        if isinstance(each.record, FindingRaised) and each.record.code == "correction-unreadable"
    )
    assert raised.says.startswith(f"The correction of fact {sequence} of {stream} is ignored: {why}")
    assert (raised.trigger, raised.evidence) == (7, (7,))


@pytest.mark.parametrize("day", [YESTERDAY, TODAY])
def test_a_correction_nobody_can_read_does_not_undo_one_before_it(day: str) -> None:
    """On the day it is about, and on the day after."""
    told = Told(day.partition("/")[2]).round(1).round(2, call_entered_as=1)
    told.say(Corrected, day, 9, {"round": 2})
    facts = list(told.facts)
    if day == YESTERDAY:
        told.say(TableClosed)
        facts, told = list(told.facts), Told().round(1)
        facts += told.facts
    before = Watched().take(recorded(facts))
    assert before.of(CODE) == ["FindingRaised", "FindingWithdrawn"]
    told.say(Corrected, day, 9, {"round": "two"})
    watched = Watched().take(recorded([*facts, told.facts[-1]]))
    assert watched.of(CODE) == before.of(CODE)
    assert watched.of("correction-unreadable") == ["FindingRaised"]


def test_a_correction_of_what_is_not_there_on_a_day_that_never_closed_is_a_finding_too() -> None:
    """A day before is not waited for: should the fact come yet, the finding goes."""
    yesterday, today = Told("2026-11-17").round(1), Told().round(1)
    today.say(Corrected, YESTERDAY, 7, {"round": 2})
    watched = Watched().take(recorded([*yesterday.facts, *today.facts]))
    assert watched.of("correction-unreadable") == ["FindingRaised"]


def test_watching_twice_writes_the_same_bytes_in_one_chain() -> None:
    told = Told().round(1).round(2, call=False).round(3)
    facts = recorded(told.facts)
    once, twice = Watched().take(facts).written, Watched().take(facts).written
    assert [each.stored for each in once] == [each.stored for each in twice]
    head = ""
    for place, each in enumerate(once, start=1):
        record = decode(each.stored)
        assert (record.sequence, record.previous) == (place, head)
        assert record == each.record
        head = digest(each.stored)


def test_a_fact_later_than_the_rounds_remembered_has_the_day_folded_again() -> None:
    told = Told().round(1, call=False)
    for number in range(2, 60):
        told.round(number)
    told.say(BetsClosed, number=1)
    late = Watched().take(recorded(told.facts))
    assert late.of(CODE) == ["FindingRaised"]  # a call that comes after the cards is no call before them
    assert late.watch.verifier is not None
    assert late.watch.verifier.day.too_late == []


def test_after_a_late_fact_another_one_as_late_finds_its_round() -> None:
    told = Told()
    for number in range(1, 61):
        told.round(number, call=number not in (50, 52))
    told.say(BetsClosed, number=50)
    late = Watched().take(recorded(told.facts))
    folded_again = late.watch.verifier
    assert folded_again is not None
    assert list(folded_again.day.rounds) == list(range(41, 61))  # twice as many as it was late
    told.say(BetsClosed, number=52)
    late.take(recorded(told.facts)[-1:])
    assert late.watch.verifier is folded_again
    assert late.of(CODE) == ["FindingRaised"] * 2  # a call that comes after the cards is no call before them


def test_after_a_correction_no_more_rounds_are_kept_than_before_it() -> None:
    told = Told()
    for number in range(1, 61):
        told.round(number)
        if number == 30:
            told.say(Corrected, STREAM, 5, {"seat": 2})
            corrected = len(told.facts)
    facts = recorded(told.facts)
    watched = Watched().take(facts[: corrected - 1])
    before = watched.watch.verifier
    watched.take(facts[corrected - 1 : corrected])
    verifier = watched.watch.verifier
    assert verifier is not None
    assert verifier is not before, "the correction folds the day again"
    assert list(verifier.day.rounds) == [27, 28, 29, 30]
    watched.take(facts[corrected:])
    assert watched.watch.verifier is verifier
    assert list(verifier.day.rounds) == list(verifier.of_round) == [57, 58, 59, 60]


def test_a_correction_keeps_the_rounds_that_a_late_fact_asked_for() -> None:
    told = Told()
    for number in range(1, 31):
        told.round(number)
    told.say(BetsClosed, number=20)
    told.say(Corrected, STREAM, 5, {"seat": 2})
    verifier = Watched().take(recorded(told.facts)).watch.verifier
    assert verifier is not None
    assert list(verifier.day.rounds) == list(range(11, 31))


@pytest.mark.parametrize("remembered", [1, 2, 40, None])
def test_records_do_not_depend_on_how_many_rounds_are_kept(
    remembered: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = Told()
    for number in range(1, 61):
        told.round(number, call=number % 5 > 0)
        if number % 7 == 0:  # late for rounds with and without a finding, by one round to thirty
            told.say(BetsClosed, number=max(1, number - number // 2))
            told.say(CardDealt, "seat", 1, 1, number=number - 1)
        if number % 9 == 0:  # a wager of an early round was another one
            told.say(Corrected, STREAM, 3 + number, {"cents": 2000})
    facts = recorded(told.facts)
    usual = Watched().take(facts).written
    assert {type(each.record) for each in usual} >= {FindingRaised, FindingRevised, FindingWithdrawn}
    monkeypatch.setattr(table_watch, "REMEMBERED", remembered)
    assert [each.stored for each in Watched().take(facts).written] == [each.stored for each in usual]


@pytest.mark.parametrize("number", [0, 3])
def test_a_fact_of_a_round_that_never_was_does_not_fold_the_day_again_and_again(number: int) -> None:
    told = Told().round(1).round(2)
    for later in range(4, 7):
        told.round(later)
    told.say(BetsClosed, number=number)
    facts = recorded(told.round(7).facts)
    watched = Watched().take(facts[:-4])
    before = watched.watch.verifier
    watched.take(facts[-4:])
    assert watched.watch.verifier is before


def test_a_day_that_opened_under_another_edition_is_not_judged_and_that_is_said() -> None:
    told = Told()
    told.facts[0] = msgspec.structs.replace(told.facts[0], book_digest="0" * 64)
    told.round(1, call=False)
    watched = Watched().take(recorded(told.facts))
    raised = [each.record for each in watched.written if isinstance(each.record, FindingRaised)]
    assert [(finding.code, finding.evidence) for finding in raised] == [("rule-book-unknown", (1,))]
    assert watched.watch.verifier is not None
    assert "edition" in watched.watch.verifier.day.unjudged
