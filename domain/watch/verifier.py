"""The verifier of one stream: it folds the facts, runs the detectors, and reports findings as they change.

Its output depends only on the facts and their order, so two verifiers of a stream report the same, fact by fact.
Corrections known in advance are applied before the fold; `table_watch.py` folds a day again after a later one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import msgspec

from domain.facts.deal import CardDealt, RoundOpened, StackDelivered, StackDispensed
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableClosed, TableOpened
from domain.table import day as table_day
from domain.table.day import OfRound, Step, TableDay
from domain.table.irregular import may_be_void
from domain.table.played import all_read
from domain.table.round import RoundInPlay
from domain.watch import detectors as _all_of_them  # noqa: F401 - registers every detector
from domain.watch.detecting import JUDGES, WATCHERS, DayEnds, DealBegins, Detector, Moment, RoundEnds
from domain.watch.detectors.tray import undecided_at_the_close
from domain.watch.faults import found_by, found_in_round
from domain.watch.finding import Finding, Shown
from domain.watch.lasting import LastingFindings, Replaced, key_of, of_round, of_table
from domain.watch.owed_vs_paid import NO_SENSOR, coverage
from domain.watch.repeated_deals import once

_DEALS = frozenset({CardDealt, StackDelivered, StackDispensed})
FoldsOfRound = Mapping[type[Fact], OfRound]
FoldsOfDay = Mapping[type[Fact], tuple[Step, ...]]
# The facts that go into the current round without running any detector: four of five facts. The first card or stack is
# not among them, because the start of a deal is a moment. Nor is an opening, which opens the next round if it names
# none.
_USUAL: FoldsOfRound = {
    kind: fold
    for kind, fold in table_day.OF_ROUND.items()
    if kind not in WATCHERS and kind not in (RoundOpened, RoundCompleted)
}
_BEFORE_THE_DEAL = {kind: fold for kind, fold in _USUAL.items() if kind not in _DEALS}
# The facts that change only the day, such as the steps of a shuffle: three of ten of the others.
_OF_DAY: FoldsOfDay = {
    kind: steps
    for kind, steps in table_day.OF_DAY.items()
    if kind not in WATCHERS and kind not in (TableOpened, TableClosed)
}


class FindingChange(msgspec.Struct, frozen=True, gc=False):
    """A finding raised, revised or withdrawn; `after` is the fact that made the change known."""

    kind: str  # raised, revised, withdrawn
    finding: Finding
    after: Shown


class Active(msgspec.Struct, frozen=True):
    """The detectors that can decide although some types of fact are unrecorded, and the number that cannot."""

    run: tuple[Any, ...]
    undecided: tuple[str, ...]


class DayCompanion(Protocol):
    """A second user of a day's fold and of the results of its rounds, during verification."""

    kinds: frozenset[type[Fact]]  # the types of fact that are unusual for it

    def before(self, day: TableDay, fact: Fact) -> None:
        """Process the next fact before it is folded."""

    def after(self, fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None) -> None:
        """Process a folded fact; `told` is its round, and `before` the newest round before it."""


class Verifier:
    """The verifier of one stream."""

    beside: DayCompanion | None = None

    def __init__(self, stream: str, remembers: int | None = table_day.REMEMBERED) -> None:
        self.day: TableDay = table_day.initial(stream, remembers)
        self.standing: dict[str, Finding] = {}
        self.of_round: dict[int, dict[str, Finding]] = {}
        self.rounds_judged = 0
        self.undecided: dict[str, int] = {}
        self.wagers: dict[str, int] = {}  # wagers decided, and undecided by missing evidence
        self._weighed: dict[int, dict[str, int]] = {}
        self._played: RoundInPlay | None = None  # the current round, and the facts that are usual in it
        self._usual: FoldsOfRound = _USUAL
        self._in_a_deal: FoldsOfRound = _USUAL
        self._before_one: FoldsOfRound = _BEFORE_THE_DEAL
        self._of_day: FoldsOfDay = _OF_DAY
        self._states_judged, self._states_watched = LastingFindings(), LastingFindings()
        self._worked_out: list[RoundInPlay] = []  # rounds judged at this fact
        self._postponed: dict[int, RoundInPlay] | None = None  # changed rounds to judge again, or None to judge at once

    def goes_with(self, beside: DayCompanion) -> None:
        """Add a second user of the fold, which receives every fact of the day."""
        self.beside = beside
        self._in_a_deal, self._before_one, self._of_day = _usual_for(beside.kinds)

    def postpones(self) -> None:
        """From now on, judge a round that late facts change only once more: when `judge_postponed` is called.

        What is found in the end follows from the facts, but not at which fact it was found.
        """
        self._postponed = {}

    def judge_postponed(self, fact: Shown) -> list[FindingChange]:
        """Judge the rounds that late facts changed, and return the changes in findings."""
        changes: list[FindingChange] = []
        while self._postponed:
            self._judge_again(next(iter(self._postponed)), fact, changes)
        return changes

    @property
    def id(self) -> str:
        """The name of the stream in the event-sourcing library."""
        return self.day.stream

    @property
    def version(self) -> int:
        """The sequence of the last fact, as the event-sourcing library names it."""
        return self.day.sequence

    def take(self, fact: Fact) -> list[FindingChange]:
        """Process the stream's next fact and return the changes in its findings."""
        if self.usual(fact):
            return []
        changes = self._unusual(fact)
        newest = self.day.round
        self._played = newest if newest is not None and not newest.over and self.day.closed is None else None
        self._usual = self._in_a_deal if newest is not None and newest.dealing else self._before_one
        return changes

    def usual(self, fact: Fact) -> bool:
        """Fold a fact that changes only the current round or only the day; return False if it needs more than that.

        This is a hot path. The day's own fold and the watchers cost such a fact 1.7 us; this costs 0.6 us.
        """
        told, kind, day = self._played, type(fact), self.day
        steps = self._usual.get(kind)
        if told is None or steps is None or (fact.round != told.number and fact.round is not None):
            of_day_alone = self._of_day.get(kind)
            if of_day_alone is None or fact.round is not None:
                return False
            day.sequence, day.at = fact.sequence, fact.at
            for step in of_day_alone:
                step(day, fact)
            return True
        day.sequence = told.last = fact.sequence
        day.at = fact.at
        same = told.told.get(kind)
        if same is None:
            told.told[kind] = [fact]
        else:
            same.append(fact)
        if told.worked_out:
            told.worked_out = {}
        of_round, of_day = steps
        if of_round is not None:
            of_round(told, fact)
        if of_day is not None:
            of_day(day, fact)
        return True

    def _unusual(self, fact: Fact) -> list[FindingChange]:
        day, kind, newest = self.day, type(fact), self.day.round
        changes: list[FindingChange] = []
        if self.beside is not None:
            self.beside.before(day, fact)
        ends = newest is not None and not newest.over and (kind is TableClosed or _another(newest, fact))
        if ends:
            self._moment(RoundEnds, fact, changes)
            self._judge(newest, fact, changes)
        if kind in WATCHERS:
            self._ask(kind, fact, changes)
        if kind in _DEALS:
            told = table_day.round_for(day, fact)
            if told is not None and not told.dealing and told is day.round:
                self._moment(DealBegins, fact, changes)
        if isinstance(fact, TableClosed):
            self._moment(DayEnds, fact, changes)
            if not day.unjudged:
                self._count(undecided_at_the_close(day, fact))
        if kind is RoundCompleted and newest is not None and not newest.over:
            if newest.dealt_unseen:  # the deal is over, and this is its first record
                self._moment(DealBegins, fact, changes)
            self._moment(RoundEnds, fact, changes)
        told = table_day.evolve(day, fact)
        if told is not None and told.over:
            self._judge(told, fact, changes)
        if self.beside is not None:
            self.beside.after(fact, told, newest)
        while self._worked_out:  # a late fact computes a remembered round's results again
            self._worked_out.pop().worked_out = {}
        return changes

    def _moment(self, moment: Moment, fact: Fact, changes: list[FindingChange]) -> None:
        if moment in WATCHERS:
            self._ask(moment, fact, changes)

    def _ask(self, moment: Moment, fact: Fact, changes: list[FindingChange]) -> None:
        day = self.day
        if day.unjudged or (day.house is None and not isinstance(fact, TableOpened)):
            return
        active = _watching(day.book, table_day.unrecorded_now(day))[moment]
        if active.undecided:
            self._count(active.undecided)
        for finding in found_by(active.run, fact, day, fact):
            key = key_of(finding)
            if key is not None:
                self._replaced(self._states_watched.add(key, of_table(finding)), fact, changes)
            elif finding.id not in self.standing:
                self.standing[finding.id] = finding
                changes.append(FindingChange("raised", finding, fact))

    def _judge(self, told: RoundInPlay | None, fact: Fact, changes: list[FindingChange]) -> None:
        """Judge a finished round, again if it was judged before."""
        if told is None or self.day.unjudged:
            return
        before = self.of_round.get(told.number)
        if self._postponed is not None and before is not None:
            self._postponed[told.number] = told
            return
        self._judge_now(told, before, fact, changes)
        while self.day.remembers is not None and len(self.of_round) > self.day.remembers:
            gone_round = next(iter(self.of_round))
            if self._postponed and gone_round in self._postponed:
                self._judge_again(gone_round, fact, changes)
            del self.of_round[gone_round], self._weighed[gone_round]

    def _judge_now(
        self, told: RoundInPlay, before: dict[str, Finding] | None, fact: Shown, changes: list[FindingChange]
    ) -> None:
        if before is None:
            self.rounds_judged += 1
        active = _judging(told.book, told.unrecorded, may_be_void(told))
        if before is None:
            self._count(active.undecided)
            self._count(_unseen(told))
        now = found_in_round(active.run, once(told))
        states = [of_round(told, now.pop(one.id)) for one in list(now.values()) if key_of(one) is not None]
        changes += differences(before or {}, now, fact)
        for gone in (before or {}).keys() - now.keys():
            self.standing.pop(gone, None)
        self.standing.update(now)
        self._replaced(self._states_judged.judged(told.number, states), fact, changes)
        self.of_round[told.number] = now
        self._add_up(told)
        self._worked_out.append(told)

    def _judge_again(self, number: int, fact: Shown, changes: list[FindingChange]) -> None:
        """Judge a postponed round."""
        if self._postponed:
            told = self._postponed.pop(number)
            self._judge_now(told, self.of_round[number], fact, changes)
            self._worked_out.pop().worked_out = {}

    def _replaced(self, findings: Replaced, fact: Shown, changes: list[FindingChange]) -> None:
        """Let the findings about states stand as they are now, in place of those before."""
        before, now = findings
        changes += differences(before, now, fact)
        for gone in before.keys() - now.keys():
            self.standing.pop(gone, None)
        self.standing.update(now)

    def rounds_of_states(self) -> dict[str, set[int]]:
        """Return the rounds that show lasting states, by the code of the finding."""
        judged, watched = self._states_judged.rounds(), self._states_watched.rounds()
        return {code: judged.get(code, set()) | watched.get(code, set()) for code in judged.keys() | watched.keys()}

    def _add_up(self, told: RoundInPlay) -> None:
        """Count the round's decided and undecided wagers, in place of its earlier counts."""
        for what, count in self._weighed.get(told.number, {}).items():
            self.wagers[what] -= count
        held = self._weighed[told.number] = coverage(told)
        for what, count in held.items():
            self.wagers[what] = self.wagers.get(what, 0) + count

    def _count(self, undecided: Iterable[str]) -> None:
        for name in undecided:
            self.undecided[name] = self.undecided.get(name, 0) + 1


@cache
def _usual_for(kinds: frozenset[type[Fact]]) -> tuple[FoldsOfRound, FoldsOfRound, FoldsOfDay]:
    """Return the usual facts during a deal, before one and of the day alone, without these types."""
    in_a_deal = {kind: fold for kind, fold in _USUAL.items() if kind not in kinds}
    before_one = {kind: fold for kind, fold in in_a_deal.items() if kind not in _DEALS}
    return in_a_deal, before_one, {kind: steps for kind, steps in _OF_DAY.items() if kind not in kinds}


def differences(before: dict[str, Finding], now: dict[str, Finding], after: Shown) -> Iterator[FindingChange]:
    """Return the changes between findings: first the withdrawn ones, then new and revised ones as they were found."""
    for gone in sorted(before.keys() - now.keys()):
        yield FindingChange("withdrawn", before[gone], after)
    for name, finding in now.items():
        held = before.get(name)
        if held is None:
            yield FindingChange("raised", finding, after)
        elif held != finding:
            yield FindingChange("revised", finding, after)


def _another(newest: RoundInPlay, fact: Fact) -> bool:
    """Whether this fact opens or names a round after the newest one."""
    return fact.round is not None and fact.round > newest.number


@cache
def _judging(book: str, unrecorded: frozenset[str], may_be_void: bool) -> Active:
    """Return the judges with clauses in a book; none can decide if an unrecorded cause may have voided all hands."""
    judges = [judge for judge in JUDGES if book in judge.books]
    return Active((), tuple(judge.name for judge in judges)) if may_be_void else _active(judges, unrecorded)


@cache
def _watching(book: str, unrecorded: frozenset[str]) -> Mapping[Moment, Active]:
    """Return the watchers of each moment with clauses in a book, or all watchers if no book is known yet."""
    return {
        moment: _active([watcher for watcher in watchers if not book or book in watcher.books], unrecorded)
        for moment, watchers in WATCHERS.items()
    }


def _unseen(told: RoundInPlay) -> Iterator[str]:
    """Return everything unseen in this round: unread cards, and wagers without a sensor."""
    if not all_read(told):
        yield from _by_cards(told.book)
    yield from (f"{NO_SENSOR}: {wager}" for wager in sorted(told.unseen_wagers))


@cache
def _by_cards(book: str) -> tuple[str, ...]:
    """Return the detectors that see only the cards that were read."""
    watchers = [watcher for held in WATCHERS.values() for watcher in held]
    return tuple(dict.fromkeys(each.name for each in (*JUDGES, *watchers) if each.by_cards and book in each.books))


def detectors_changed() -> None:
    """Clear the caches of detectors; call it after adding or removing one."""
    _judging.cache_clear()
    _by_cards.cache_clear()
    _watching.cache_clear()


def _active(detectors: Sequence[Detector], unrecorded: frozenset[str]) -> Active:
    """Return the detectors that can decide here, and the number that cannot."""
    return Active(
        tuple(detector.run for detector in detectors if detector.decides_without(unrecorded)),
        tuple(detector.name for detector in detectors if not detector.decides_without(unrecorded)),
    )
