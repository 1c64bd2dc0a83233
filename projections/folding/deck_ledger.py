"""The ledger of a table's decks over its whole day, including decks that the day's own ledger has dropped."""

import msgspec

from domain.cards import DECK
from domain.facts.decks import DeckChanged, DeckReceived, DeckRemoved
from domain.facts.envelope import Fact
from domain.facts.shuffles import ShuffleCompleted
from domain.table.day import TableDay
from domain.table.deck import Deck
from projections.changes import Row
from projections.folding.cards import TEXT
from projections.folding.rounds import DeckCount, Summary

_EVERY = (1 << len(DECK)) - 1


class DeckDay(msgspec.Struct, gc=False):
    """One deck's day. The sums of its rounds are separate, so that they can be added up again."""

    name: str
    received_at: int | None = None
    shuffles: int = 0
    by_device: DeckCount | None = None  # the last count of the whole deck
    gone_at: int | None = None
    fate: str = "in use"
    rounds: int = 0
    first_round: int | None = None
    last_round: int | None = None
    counts_done: int = 0
    counted: DeckCount | None = None  # the last count of its stub
    seen: int = 0
    too_often: set[str] = set()

    def add(self, summary: Summary) -> None:
        """Add a round dealt from it."""
        self.rounds += 1
        self.first_round = summary.number if self.first_round is None else min(self.first_round, summary.number)
        self.last_round = max(self.last_round or 0, summary.number)
        self.seen |= summary.seen
        self.too_often.update(summary.too_often)
        self.counts_done += len(summary.counts)
        for counted in summary.counts:
            if self.counted is None or counted.sequence > self.counted.sequence:
                self.counted = counted

    def without_rounds(self) -> None:
        """Clear the sums of its rounds."""
        self.rounds = self.counts_done = self.seen = 0
        self.first_round = self.last_round = self.counted = None
        self.too_often = set()


class DeckLedger(msgspec.Struct, gc=False):
    """Every deck named in the day."""

    decks: dict[str, DeckDay] = {}

    def of(self, name: str) -> DeckDay:
        """Return the deck of this name."""
        held = self.decks.get(name)
        if held is None:
            held = self.decks[name] = DeckDay(name)
        return held

    def take(self, day: TableDay, fact: Fact) -> None:
        """Take a fact about a deck after the day has taken it."""
        match fact:
            case DeckReceived():
                deck = self.of(fact.deck)
                deck.received_at, deck.gone_at, deck.fate = fact.at, None, "in use"
            case ShuffleCompleted():
                deck = self.of(fact.deck)
                deck.shuffles += 1
                if fact.counted is not None:
                    size = day.decks.of(fact.deck).size
                    deck.by_device = DeckCount(fact.sequence, fact.at, fact.counted, fact.counted != size)
            case DeckRemoved():
                self._gone(fact.deck, fact, f"removed to {fact.to}" if fact.to else "removed", fact.reason)
            case DeckChanged():
                self._gone(fact.old, fact, f"replaced by {fact.new}", fact.reason)

    def _gone(self, name: str, fact: Fact, fate: str, reason: str) -> None:
        deck = self.of(name)
        deck.gone_at = fact.at
        deck.fate = f"{fate}: {reason}" if reason else fate

    def rows(self, day: TableDay, start: Row) -> list[Row]:
        """Return a row per deck; a deck that was only mentioned has none."""
        return [
            (*start, *_row(day, held))
            for name, held in sorted(self.decks.items())
            if held.received_at is not None or held.rounds or held.shuffles or held.gone_at is not None
        ]


KINDS: tuple[type[Fact], ...] = (DeckReceived, ShuffleCompleted, DeckRemoved, DeckChanged)


def _row(day: TableDay, held: DeckDay) -> Row:
    deck = day.decks.known.get(held.name) or Deck(held.name)
    counts = [counted for counted in (held.counted, held.by_device) if counted is not None]
    last = max(counts, key=lambda counted: counted.sequence, default=None)
    most = between_counts(day)
    single = deck.decks == 1 and not day.game.many_rounds_a_shoe
    never = single and held.rounds > 0
    return (
        held.name,
        deck.decks,
        deck.size,
        held.received_at,
        held.first_round,
        held.last_round,
        held.rounds,
        held.counts_done,
        deck.rounds_since_count,
        most or None,
        bool(most) and deck.gone is None and deck.rounds_since_count >= most,
        last.cards if last is not None else None,
        last.at if last is not None else None,
        last is not None and last.wrong,
        held.shuffles,
        held.seen.bit_count(),
        _cards(_EVERY & ~held.seen) if never else "",
        " ".join(sorted(held.too_often)),
        held.gone_at,
        held.fate,
    )


def _cards(mask: int) -> str:
    return " ".join(TEXT[card] for card in DECK if mask >> card & 1)


def between_counts(day: TableDay) -> int:
    """Return the largest number of rounds between counts in the current rule book; 0 if it sets none."""
    held = day.house.book.values.get("rounds_between_stub_counts") if day.house is not None else None
    return int(held.value) if held is not None else 0
