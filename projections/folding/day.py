"""One table's gaming day folded for the read models: the day itself, and its rows.

The rows follow from the chain of facts and their corrections alone, whenever and however often it is folded.
"""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from domain.facts.deal import RoundOpened
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.seals import ChainSealed
from domain.facts.streams import owner
from domain.facts.table_day import GameCommenced, TableClosed, TableIdled, TableOpened
from domain.rulebooks import House
from domain.table import day as table_day
from domain.table.day import OfRound, TableDay
from domain.table.round import RoundInPlay
from projections.changes import Changes, Dead, Row, UnreadFrom
from projections.folding import deck_ledger, handling, meters, people
from projections.folding.deck_ledger import DeckLedger
from projections.folding.handling import handling_of
from projections.folding.meters import Meters
from projections.folding.people import People
from projections.folding.rounds import RoundRows, RoundSetting, Summary, digest_of, rows_of

_STATES: Mapping[type[Fact], str] = {
    TableOpened: "open",
    GameCommenced: "playing",
    TableIdled: "idle",
    TableClosed: "closed",
}
_HANDLING = frozenset(handling.KINDS)
_DECKS, _PEOPLE, _METERS = frozenset(deck_ledger.KINDS), frozenset(people.KINDS), frozenset(meters.KINDS)
# All other facts, four of five, only go into the current round or the day. An opening that names no round opens the
# next one.
LOOKED_AT: frozenset[type[Fact]] = (
    _HANDLING | _DECKS | _PEOPLE | _METERS | frozenset(_STATES) | {RoundOpened, RoundCompleted, ChainSealed}
)
_USUAL: Mapping[type[Fact], OfRound] = {
    kind: fold for kind, fold in table_day.OF_ROUND.items() if kind not in LOOKED_AT
}

Usual = Callable[[Fact], bool]


class DayFold:
    """One stream, and the rows to write for it."""

    def __init__(
        self, stream: str, remembers: int | None = table_day.REMEMBERED, *, day: TableDay | None = None
    ) -> None:
        self.day: TableDay = day or table_day.initial(stream, remembers)
        self.start: Row = (stream, owner(stream), date.fromisoformat(stream.rpartition("/")[2]))
        self.summaries: dict[int, Summary] = {}
        self._place = RoundSetting(self.start)
        self._state = ""
        self._sealed_to = 0
        self._decks = DeckLedger()
        self._people = People()
        self._meters = Meters()
        self._coverage: dict[str, int] = {}
        self._hands = 0
        self._won = 0
        self._unseen = 0  # rounds with an unseen movement
        self._houses: dict[str, House] = {}  # in force and not returned yet
        self._known_houses: set[str] = set()
        self._fresh: dict[int, RoundRows] = {}
        self._handling: list[Row] = []
        self._written: set[int] = set()  # rounds whose rows are written
        self._rewritten: int | None = None  # the edition for writing everything again
        self._told: tuple[int, UnreadFrom | None] | None = None  # the state in which the day tables were last written
        self._stand: dict[str, list[Row]] = {}  # and their rows then
        self._played: RoundInPlay | None = None

    def take(self, fact: Fact, edition: int) -> None:
        """Take the next fact; its rows have this edition."""
        before = self.day.round
        self.before(fact)
        self.after(fact, table_day.evolve(self.day, fact), before, edition)

    def before(self, fact: Fact) -> None:
        """Take the next fact before the day folds it in."""
        if type(fact) in _METERS:
            self._meters.take(self.day, fact)

    def after(self, fact: Fact, told: RoundInPlay | None, before: RoundInPlay | None, edition: int) -> None:
        """Take a fact after the day has folded it in: its round, and the newest round before it."""
        day, kind = self.day, type(fact)
        newest = day.round
        self._played = newest if newest is not None and not newest.over and day.closed is None else None
        if newest is not before and newest is not None:
            if before is not None and before.number not in self.summaries:
                self._over(before, edition)  # left open
            self._people.round_begins(newest.number)
            self._state = "playing"
            self._in_force(newest.house)
        if kind in _DECKS:
            self._decks.take(day, fact)
        if kind in _PEOPLE:
            self._people.take(fact)
        if kind in _HANDLING:
            self._handling.append(handling_of(day, fact, self.start, edition))
        if kind in _STATES:
            self._state = _STATES[kind]
        if kind is ChainSealed:
            covers: int = fact.covers  # type: ignore[attr-defined]
            # A seal over all facts before it leaves nothing unsealed: it seals itself by its signature.
            self._sealed_to = max(self._sealed_to, fact.sequence if covers == fact.sequence - 1 else covers)
        if kind is TableOpened:
            self._opened(day)
        if told is not None and (told.over or told is not newest or day.closed is not None):
            self._over(told, edition)
        elif kind is TableClosed and newest is not None and newest.number not in self.summaries:
            self._over(newest, edition)

    def usual(self, fact: Fact) -> bool:
        """Fold in a fact that changes only the current round; return False if it needs more work.

        A hot path, as in `domain/watch/verifier.py`.
        """
        told, kind = self._played, type(fact)
        if told is None or (fact.round != told.number and fact.round is not None) or kind not in _USUAL:
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
        of_round, of_day = _USUAL[kind]
        if of_round is not None:
            of_round(told, fact)
        if of_day is not None:
            of_day(day, fact)
        return True

    def _opened(self, day: TableDay) -> None:
        self._place = RoundSetting(self.start, day.opened.pit if day.opened else "", day.unjudged)
        if day.house is not None:
            self._in_force(day.house)

    def _in_force(self, house: House) -> None:
        if not self.day.unjudged:  # else the edition of its house is not installed
            name = digest_of(house)
            if name not in self._known_houses:
                self._known_houses.add(name)
                self._houses[name] = house

    def _over(self, told: RoundInPlay, edition: int) -> None:
        """Add a finished round, or one that has changed since."""
        deck = self.day.decks.known.get(told.deck)
        made = rows_of(told, self._place, edition, deck.decks if deck is not None else 1)
        told.worked_out = {}  # the round is kept for late facts, and each of them computes this again
        known = told.number in self.summaries
        self.summaries[told.number] = made.summary
        self._fresh[told.number] = made
        if known:
            self._add_up()
        else:
            self._add(made.summary)

    def _add(self, summary: Summary) -> None:
        for what, count in summary.coverage.items():
            self._coverage[what] = self._coverage.get(what, 0) + count
        self._hands += summary.hands
        self._won += summary.won or 0
        self._unseen += summary.won is None
        self._decks.of(summary.deck).add(summary)

    def _add_up(self) -> None:
        """Add up all rounds again, because one of them has changed."""
        self._coverage, self._hands, self._won, self._unseen = {}, 0, 0, 0
        for deck in self._decks.decks.values():
            deck.without_rounds()
        for summary in self.summaries.values():
            self._add(summary)

    def silent(self) -> None:
        """Drop the pending rows, which were written before."""
        self._written = set(self.summaries)
        self._fresh, self._handling, self._houses = {}, [], {}
        self._told = None

    def rewrite(self, edition: int) -> None:
        """Write everything again with this edition, replacing all earlier rows."""
        self._rewritten = edition
        self._written = set()

    def write(self, changes: Changes, sequence: int, unread: UnreadFrom | None) -> None:
        """Put all changes since the last call into a batch."""
        self._write_rounds(changes)
        if self._told != (sequence, unread):
            self._told = (sequence, unread)
            for table, rows in self._day_rows(sequence, unread).items():
                if self._stand.get(table) != rows:
                    self._stand[table] = rows
                    changes.replace(self.day.stream, table, rows)

    def _write_rounds(self, changes: Changes) -> None:
        stream = self.day.stream
        if self._rewritten is not None:
            changes.dead.append(Dead(stream, None, self._rewritten))
            self._rewritten, self._told, self._stand = None, None, {}
        for made in self._fresh.values():
            if made.summary.number in self._written:
                changes.dead.append(Dead(stream, made.summary.number, made.edition))
            changes.append("rounds", made.round)
            changes.rows.setdefault("hands", []).extend(made.hands)
            changes.rows.setdefault("wagers", []).extend(made.wagers)
            changes.rows.setdefault("cards", []).extend(made.cards)
        self._written.update(self._fresh)
        if self._handling:
            changes.rows.setdefault("handling", []).extend(self._handling)
        self._fresh, self._handling = {}, []

    def houses(self) -> dict[str, House]:
        """Return the houses in force that were not returned before, by their digests."""
        found, self._houses = self._houses, {}
        return found

    def _day_rows(self, sequence: int, unread: UnreadFrom | None) -> dict[str, list[Row]]:
        day, start = self.day, self.start
        return {
            "tables": [(*start, *self._table(sequence, unread))],
            "decks": self._decks.rows(day, start),
            "money": [(*start, *self._money())],
            "meters": self._meters.rows(day, start),
            "staff": self._people.staff_rows(start),
            "seatings": self._people.seating_rows(start),
            "coverage": [(*start, what, count) for what, count in sorted(self._coverage.items()) if count],
        }

    def _table(self, sequence: int, unread: UnreadFrom | None) -> Row:
        day, opened = self.day, self.day.opened
        return (
            opened.pit if opened else "",
            opened.zone if opened else "",
            opened.currency if opened else "",
            day.book,
            digest_of(day.house) if day.house and not day.unjudged else "",
            day.method,
            self._state,
            day.dealer_person,
            opened.at if opened else None,
            day.closed.at if day.closed else None,
            day.at if sequence else None,
            sequence,
            self._sealed_to,
            day.round.number if day.round else None,
            len(self.summaries),
            self._hands,
            day.decks.in_play,
            day.decks.rounds_since_count,
            len(day.seated),
            unread.sequence if unread else None,
            unread.says if unread else "",
        )

    def _money(self) -> Row:
        money: Any = self.day.money
        won = None if self._unseen else self._won
        return (
            *(money.opener, money.fills, money.credits, money.drop, money.closer),
            *(money.bought_in, money.collected, money.paid, money.win, won, money.off),
        )
