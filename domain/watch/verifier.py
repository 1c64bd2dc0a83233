"""The verifier of one stream: folds it, asks the detectors, and says what is new, changed or explained.

What it says depends on the facts alone, in the order of the stream: whoever verifies the same stream says the same,
fact by fact. A correction is known before the fold begins; how a later one folds the day again is `table_watch.py`.
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
from domain.table.day import OfRound, TableDay
from domain.table.irregular import may_be_void
from domain.table.played import all_read
from domain.table.round import Round
from domain.watch import detectors as _all_of_them  # noqa: F401 - registers every detector
from domain.watch.detecting import JUDGES, WATCHERS, DayEnds, DealBegins, Detector, Moment, RoundEnds
from domain.watch.finding import Finding, Shown
from domain.watch.owed_vs_paid import NO_SENSOR, coverage

_DEALS = frozenset({CardDealt, StackDelivered, StackDispensed})
# What goes into the round that is played without anybody being asked: four facts of five. The first card or stack of
# a round is not among them, for that is a moment; nor an opening, which opens the next round where it names none.
_USUAL: Mapping[type[Fact], OfRound] = {
    kind: fold
    for kind, fold in table_day.OF_ROUND.items()
    if kind not in WATCHERS and kind not in (RoundOpened, RoundCompleted)
}
_BEFORE_THE_DEAL = {kind: fold for kind, fold in _USUAL.items() if kind not in _DEALS}


class Change(msgspec.Struct, frozen=True, gc=False):
    """A finding raised, revised or withdrawn; `after` is the fact with which that became known."""

    kind: str  # raised, revised, withdrawn
    finding: Finding
    after: Shown


class Active(msgspec.Struct, frozen=True):
    """The detectors that can decide where some types of fact are not recorded, and how many cannot."""

    run: tuple[Any, ...]
    undecided: tuple[str, ...]


class Beside(Protocol):
    """Who makes something else of a day while it is verified: of one fold, and of what was worked out of its rounds."""

    kinds: frozenset[type[Fact]]  # which facts are unusual for it

    def before(self, day: TableDay, fact: Fact) -> None:
        """The next fact, before it is folded in."""

    def after(self, fact: Fact, told: Round | None, before: Round | None) -> None:
        """It is folded in: the round it went into, and the newest one before it."""


class Verifier:
    """One stream under watch."""

    beside: Beside | None = None

    def __init__(self, stream: str, remembers: int | None = table_day.REMEMBERED) -> None:
        self.day: TableDay = table_day.initial(stream, remembers)
        self.standing: dict[str, Finding] = {}
        self.of_round: dict[int, dict[str, Finding]] = {}
        self.rounds_judged = 0
        self.undecided: dict[str, int] = {}
        self.wagers: dict[str, int] = {}  # how many could be weighed, and how many not for want of what
        self._weighed: dict[int, dict[str, int]] = {}
        self._played: Round | None = None  # the round that is played, and what is usual in it now
        self._usual: Mapping[type[Fact], OfRound] = _USUAL
        self._in_a_deal: Mapping[type[Fact], OfRound] = _USUAL
        self._before_one: Mapping[type[Fact], OfRound] = _BEFORE_THE_DEAL
        self._worked_out: list[Round] = []  # rounds judged by this fact

    def goes_with(self, beside: Beside) -> None:
        """Somebody goes along, from the day's first fact on."""
        self.beside = beside
        self._in_a_deal, self._before_one = _usual_for(beside.kinds)

    @property
    def id(self) -> str:
        """The stream, as the event-sourcing library calls it."""
        return self.day.stream

    @property
    def version(self) -> int:
        """The sequence it stands at, as the event-sourcing library calls it."""
        return self.day.sequence

    def take(self, fact: Fact) -> list[Change]:
        """The next fact of the stream: what changes by it."""
        if self.usual(fact):
            return []
        changes = self._unusual(fact)
        newest = self.day.round
        self._played = newest if newest is not None and not newest.over else None
        self._usual = self._in_a_deal if newest is not None and newest.dealing else self._before_one
        return changes

    def usual(self, fact: Fact) -> bool:
        """Folds a fact in that changes nothing but the round that is played; False where more is to be done with it.

        A hot path: the day's own fold and the questions to the watchers cost such a fact 1.7 us, this 0.6 us.
        """
        told, kind = self._played, type(fact)
        steps = self._usual.get(kind)
        if told is None or steps is None or (fact.round != told.number and fact.round is not None):
            return False
        day = self.day
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

    def _unusual(self, fact: Fact) -> list[Change]:
        day, kind, newest = self.day, type(fact), self.day.round
        changes: list[Change] = []
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
        if kind is TableClosed:
            self._moment(DayEnds, fact, changes)
        if kind is RoundCompleted and newest is not None and not newest.over:
            if newest.dealt_unseen:  # the deal is behind us, and this is the first we hear of it
                self._moment(DealBegins, fact, changes)
            self._moment(RoundEnds, fact, changes)
        told = table_day.evolve(day, fact)
        if told is not None and told.over:
            self._judge(told, fact, changes)
        if self.beside is not None:
            self.beside.after(fact, told, newest)
        while self._worked_out:  # a round is remembered for late facts, each of which has all of this worked out anew
            self._worked_out.pop().worked_out = {}
        return changes

    def _moment(self, moment: Moment, fact: Fact, changes: list[Change]) -> None:
        if moment in WATCHERS:
            self._ask(moment, fact, changes)

    def _ask(self, moment: Moment, fact: Fact, changes: list[Change]) -> None:
        day = self.day
        if day.unjudged or (day.house is None and not isinstance(fact, TableOpened)):
            return
        active = _watching(day.book, table_day.unrecorded_now(day))[moment]
        self._count(active.undecided)
        for run in active.run:
            for finding in run(day, fact):
                if finding.id not in self.standing:
                    self.standing[finding.id] = finding
                    changes.append(Change("raised", finding, fact))

    def _judge(self, told: Round | None, fact: Fact, changes: list[Change]) -> None:
        """Judges a round that is over; one that was judged before, anew."""
        if told is None or self.day.unjudged:
            return
        before = self.of_round.get(told.number)
        if before is None:
            self.rounds_judged += 1
        active = _judging(told.book, told.unrecorded, may_be_void(told))
        if before is None:
            self._count(active.undecided)
            self._count(_unseen(told))
        now = {finding.id: finding for run in active.run for finding in run(told)}
        changes += differences(before or {}, now, fact)
        for gone in (before or {}).keys() - now.keys():
            self.standing.pop(gone, None)
        self.standing.update(now)
        self.of_round[told.number] = now
        self._add_up(told)
        self._worked_out.append(told)
        if self.day.remembers is not None and len(self.of_round) > self.day.remembers:
            gone_round = next(iter(self.of_round))
            del self.of_round[gone_round], self._weighed[gone_round]

    def _add_up(self, told: Round) -> None:
        """How many wagers of the round could be decided; what was counted of it before counts no more."""
        for what, count in self._weighed.get(told.number, {}).items():
            self.wagers[what] -= count
        held = self._weighed[told.number] = coverage(told)
        for what, count in held.items():
            self.wagers[what] = self.wagers.get(what, 0) + count

    def _count(self, undecided: Iterable[str]) -> None:
        for name in undecided:
            self.undecided[name] = self.undecided.get(name, 0) + 1


@cache
def _usual_for(kinds: frozenset[type[Fact]]) -> tuple[Mapping[type[Fact], OfRound], Mapping[type[Fact], OfRound]]:
    """What is usual in a deal and before one, where these kinds are not."""
    in_a_deal = {kind: fold for kind, fold in _USUAL.items() if kind not in kinds}
    return in_a_deal, {kind: fold for kind, fold in in_a_deal.items() if kind not in _DEALS}


def differences(before: dict[str, Finding], now: dict[str, Finding], after: Shown) -> Iterator[Change]:
    """What became of findings: withdrawn ones first, then revised and new ones in the order they were found."""
    for gone in sorted(before.keys() - now.keys()):
        yield Change("withdrawn", before[gone], after)
    for name, finding in now.items():
        held = before.get(name)
        if held is None:
            yield Change("raised", finding, after)
        elif held != finding:
            yield Change("revised", finding, after)


def _another(newest: Round, fact: Fact) -> bool:
    """Whether this fact opens or names a round behind the newest one."""
    return fact.round is not None and fact.round > newest.number


@cache
def _judging(book: str, unrecorded: frozenset[str], may_be_void: bool) -> Active:
    """The judges a book has clauses for; none can decide where the hands may all be void and nobody recorded it."""
    judges = [judge for judge in JUDGES if book in judge.books]
    return Active((), tuple(judge.name for judge in judges)) if may_be_void else _active(judges, unrecorded)


@cache
def _watching(book: str, unrecorded: frozenset[str]) -> Mapping[Moment, Active]:
    """The watchers of each moment a book has clauses for; all of them where no book can be read yet."""
    return {
        moment: _active([watcher for watcher in watchers if not book or book in watcher.books], unrecorded)
        for moment, watchers in WATCHERS.items()
    }


def _unseen(told: Round) -> Iterator[str]:
    """What nobody could look at in this round: cards that were not read, and wagers without a sensor."""
    if not all_read(told):
        yield from _by_cards(told.book)
    yield from (f"{NO_SENSOR}: {wager}" for wager in sorted(told.unseen_wagers))


@cache
def _by_cards(book: str) -> tuple[str, ...]:
    """The detectors that see only as much as was read of the cards dealt."""
    watchers = [watcher for held in WATCHERS.values() for watcher in held]
    return tuple(dict.fromkeys(each.name for each in (*JUDGES, *watchers) if each.by_cards and book in each.books))


def detectors_changed() -> None:
    """Whoever registers others, or takes some away, says so."""
    _judging.cache_clear()
    _by_cards.cache_clear()
    _watching.cache_clear()


def _active(detectors: Sequence[Detector], unrecorded: frozenset[str]) -> Active:
    """Those that can decide here, and those that cannot."""
    return Active(
        tuple(detector.run for detector in detectors if not detector.needs & unrecorded),
        tuple(detector.name for detector in detectors if detector.needs & unrecorded),
    )
