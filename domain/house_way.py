"""Fast Action's house way (FAH (h)(9)): which two of the dealer's four cards are kept.

Fourteen rows are tried from the top. The first row that any two of the four cards satisfy decides. Among the pairs that
satisfy it, the highest is kept: its higher card first, then its lower. Cards are compared by rank and suit, never by
the physical card, because six or eight decks hold the same card more than once.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement

import msgspec

from domain.cards import ACE, DECK, JACK, TEN

Pair = tuple[int, int]
CARDS = 4  # of the hand that is set: any other number is no hand


class TwoCards(msgspec.Struct, frozen=True):
    """The properties the rows use: the two ranks, and whether the suits are equal."""

    high: int
    low: int
    suited: bool

    @property
    def same(self) -> bool:
        """Whether they are a pair."""
        return self.high == self.low

    @property
    def running(self) -> bool:
        """Whether they are two cards of consecutive rank, FAH (a)(1)(viii)."""
        return self.high - self.low == 1


class HouseWayRow(msgspec.Struct, frozen=True):
    """One priority of the house way. `any_will_do` marks the rows that do not say "highest"."""

    clause: str
    words: str
    holds: Callable[[TwoCards], bool]
    any_will_do: bool = False


def _rows(viii: str, ix: str) -> tuple[HouseWayRow, ...]:
    """Return the fourteen rows under the house's readings of (viii) and (ix).

    From (iii) on no two of the four cards share a rank, so the higher and the lower rank name one pair.
    """
    eight: Callable[[TwoCards], bool] = {
        "both": lambda two: two.suited and two.low >= TEN,
        "high-only": lambda two: two.suited and two.high >= TEN,
    }[viii]
    nine: Callable[[TwoCards], bool] = {
        "both": lambda two: two.low >= JACK,
        "high-only": lambda two: two.high >= JACK,
    }[ix]
    return (
        HouseWayRow("FAH (h)(9)(i)", "suited pair", lambda two: two.same and two.suited, any_will_do=True),
        HouseWayRow("FAH (h)(9)(ii)", "highest pair", lambda two: two.same),
        HouseWayRow(
            "FAH (h)(9)(iii)",
            "ace with highest suited card, 10 or better",
            lambda two: two.high == ACE and two.suited and two.low >= TEN,
        ),
        HouseWayRow(
            "FAH (h)(9)(iv)",
            "highest suited running cards, 10 and jack or better",
            lambda two: two.suited and two.running and two.low >= TEN,
        ),
        HouseWayRow(
            "FAH (h)(9)(v)",
            "ace with highest card, 10 or better",
            lambda two: two.high == ACE and two.low >= TEN,
        ),
        HouseWayRow(
            "FAH (h)(9)(vi)",
            "highest non-suited running cards, jack and queen or better",
            lambda two: not two.suited and two.running and two.low >= JACK,
        ),
        HouseWayRow("FAH (h)(9)(vii)", "ace with highest suited card", lambda two: two.high == ACE and two.suited),
        HouseWayRow("FAH (h)(9)(viii)", "highest suited cards, 10 or better", eight),
        HouseWayRow("FAH (h)(9)(ix)", "highest cards, jack or better", nine),
        HouseWayRow("FAH (h)(9)(x)", "ace with highest card", lambda two: two.high == ACE),
        HouseWayRow(
            "FAH (h)(9)(xi)",
            "any suited, running cards",
            lambda two: two.suited and two.running,
            any_will_do=True,
        ),
        HouseWayRow("FAH (h)(9)(xii)", "highest suited cards, not running", lambda two: two.suited and not two.running),
        HouseWayRow("FAH (h)(9)(xiii)", "any running cards", lambda two: two.running, any_will_do=True),
        HouseWayRow("FAH (h)(9)(xiv)", "highest cards", lambda _: True),
    )


ROWS = {(viii, ix): _rows(viii, ix) for viii in ("both", "high-only") for ix in ("both", "high-only")}


def _by_value(pair: Pair) -> Pair:
    one, two = pair
    return (one, two) if one <= two else (two, one)


def _two_cards(pair: Pair) -> TwoCards:
    low, high = sorted(card >> 2 for card in pair)
    return TwoCards(high=high, low=low, suited=pair[0] & 3 == pair[1] & 3)


@cache
def _first_rows(viii: str, ix: str) -> dict[Pair, int]:
    """Return the first row that each two cards satisfy; the lowest of them decides four cards."""
    two_cards = {pair: _two_cards(pair) for pair in combinations_with_replacement(DECK, 2)}
    return {
        pair: next(number for number, row in enumerate(ROWS[viii, ix], start=1) if row.holds(two))
        for pair, two in two_cards.items()
    }


def is_natural(cards4: Sequence[int]) -> bool:
    """Return whether four cards are a natural, all of one rank, which ends setting and dealing (FAH (h)(8))."""
    return len(cards4) == CARDS and len({card >> 2 for card in cards4}) == 1


def acceptable(
    cards4: Sequence[int], viii: str = "both", ix: str = "both"
) -> tuple[int, frozenset[Pair], tuple[Pair, ...]] | None:
    """Return the deciding row, 1 to 14, and the pairs it allows; None for a natural or another number of cards.

    The last part holds the lower pairs that satisfy a row saying "any" or "suited pair": the words allow them, but the
    order "from highest to lowest preference" does not ask for them.
    """
    return _acceptable(tuple(cards4), viii, ix)


@lru_cache(maxsize=64)
def _acceptable(cards4: tuple[int, ...], viii: str, ix: str) -> tuple[int, frozenset[Pair], tuple[Pair, ...]] | None:
    """Return the same, cached for settlement and for the judges."""
    if is_natural(cards4) or len(cards4) != CARDS:
        return None
    rows = _first_rows(viii, ix)
    pairs = {_by_value(pair) for pair in combinations(cards4, 2)}
    priority = min(rows[pair] for pair in pairs)
    satisfying = {pair: (pair[1] >> 2, pair[0] >> 2) for pair in pairs if rows[pair] == priority}
    highest = max(satisfying.values())
    kept = frozenset(pair for pair, ranks in satisfying.items() if ranks == highest)
    lower = tuple(sorted(satisfying.keys() - kept)) if ROWS[viii, ix][priority - 1].any_will_do else ()
    return priority, kept, lower


def kept(cards4: Sequence[int], viii: str = "both", ix: str = "both") -> Pair | None:
    """Return the two cards a dealer keeps, in the order dealt; the first two if (ii) leaves three choices."""
    found = acceptable(cards4, viii, ix)
    if found is None:
        return None
    return next(pair for pair in combinations(cards4, 2) if _by_value(pair) in found[1])
