"""The clocks of a table and of the card room, compared by the decks that go from one to the other.

A deck cannot reach a table before the card room issues it, nor come back before the table gives it up. A person may
enter one of the two late, by any span. A clock in another zone is off by whole half hours, for every deck.
"""

from collections.abc import Iterator

import msgspec

from domain.facts.decks import DeckReceived, DeckRemoved
from domain.facts.envelope import Fact
from domain.facts.property_day import DeckIssued, DeckReturned
from domain.facts.streams import owner
from domain.feed.doubts import DOUBTFUL, Doubt

_MINUTE = 60_000_000
_HALF = 30 * _MINUTE
_ON_ITS_WAY, _NEAR = 10 * _MINUTE, 2 * _MINUTE  # a deck takes some minutes, and two clocks of one zone differ little
_LEAST_MOVES = 2  # with the same span
_BEFORE: dict[type[Fact], tuple[type[Fact], str]] = {
    DeckReceived: (DeckIssued, "was received {span} before the card room issued it"),
    DeckReturned: (DeckRemoved, "came back to the card room {span} before the table gave it up"),
}
_EARLIER = {earlier for earlier, _ in _BEFORE.values()}
_CURE = "Send `at` in UTC from the table and from the card room. If a person entered this late, nothing is wrong."
Moves = dict[tuple[type[Fact], str, str], list[Fact]]  # by kind, table and deck


class DeckTimes(msgspec.Struct):
    """The decks that went to tables and back, by what the card room and the tables say."""

    moves: Moves = {}

    def take(self, fact: Fact) -> None:
        """Take the next fact of any stream."""
        kind = type(fact)
        if kind in _BEFORE or kind in _EARLIER:
            table = fact.table if isinstance(fact, DeckIssued | DeckReturned) else fact.stream
            deck = str(getattr(fact, "deck", ""))
            self.moves.setdefault((kind, owner(table), deck), []).append(fact)

    def doubts(self) -> Iterator[Doubt]:
        """Yield a doubt for each table with decks that arrive before they leave, by one and the same span."""
        off: dict[tuple[str, int], list[tuple[str, Fact, Fact]]] = {}
        for (kind, table, deck), later in self.moves.items():
            if kind not in _BEFORE:
                continue
            earlier, says = _BEFORE[kind]
            for first, second in zip(self.moves.get((earlier, table, deck), []), later, strict=False):
                if halves := _half_hours(first.at - second.at):
                    told = f"{deck} {says.format(span=f'{halves // 2} h {halves % 2 * 30:02} min')}"
                    off.setdefault((table, halves), []).append((told, first, second))
        for (table, _), found in off.items():
            if len(found) >= _LEAST_MOVES:
                says, first, second = found[0]
                told = f"{table}: {says}, and so in {len(found)} moves of decks."
                yield Doubt("clock-of-another-zone", DOUBTFUL, told, _CURE, (first.id, second.id), table)


def _half_hours(span: int) -> int:
    """Return how many whole half hours two clocks are apart if a deck arrives this long before it leaves, or 0."""
    many = (span + _ON_ITS_WAY) // _HALF
    return many if many > 0 and span - many * _HALF <= _NEAR else 0
