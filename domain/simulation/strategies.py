"""Decisions of honest players: good ones, as books on these games advise, with occasional slips.

Before the flop of Ultimate, in Pik-it and in Colorado they follow the stored strategies. After the flop of Ultimate
they bet twice the ante with two pair, with a pair that uses a card of their own (except two twos in hand), and with
four to a flush that includes a ten or better of their own. At the river they play if their own cards improve the board,
and otherwise if fewer than 21 of the unseen cards would beat them in the dealer's hand.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache

from domain.cards import DECK, TEN
from domain.hands import standard
from domain.house_way import is_natural
from domain.odds.play import pik_choice, uth_preflop
from domain.rulebooks import House

Whim = int  # a player's 32 random bits for a round, which decide whether and where this one slips

_STREETS = {0: 0, 3: 8, 5: 16}  # community cards seen, and the bits of the whim that decide there
_OUTS_TO_FOLD = 21
_WEAK, _STRONG = TEN - 1, TEN  # the best rank surrendered at Fast Action, and the lowest pair split


def uth(house: House, slips: int, whim: Whim) -> Callable[[Sequence[int], Sequence[int]], str]:
    """Return a player of Ultimate; one in 256 decisions times `slips` differs from this player's best."""
    blind_table = str(house.options.get("blind_table") or "A")

    def decide(own: Sequence[int], board: Sequence[int]) -> str:
        slip = (whim >> _STREETS[len(board)] & 255) < slips
        if not board:
            multiple = uth_preflop(own, blind_table)
            if slip:
                return "check" if multiple else "play:3"
            return f"play:{multiple}" if multiple else "check"
        if len(board) == 3:
            return "play" if worth_twice(own, board) != slip else "check"
        return "play" if worth_once(own, board) != slip else "fold"

    return decide


def worth_twice(own: Sequence[int], board: Sequence[int]) -> bool:
    """Return whether the flop is worth twice the ante."""
    one, other = own[0] >> 2, own[1] >> 2
    ranks = [card >> 2 for card in board]
    if one == other:
        return one > 0 or one in ranks
    if one in ranks or other in ranks:
        return True
    if standard.category(standard.value((*own, *board))) >= standard.STRAIGHT:
        return True
    for suit in {own[0] & 3, own[1] & 3}:
        mine = [card for card in own if card & 3 == suit]
        if len(mine) + sum(card & 3 == suit for card in board) >= 4 and max(mine) >> 2 >= TEN:
            return True
    return False


def worth_once(own: Sequence[int], board: Sequence[int]) -> bool:
    """Return whether the whole board is worth the ante once."""
    value = standard.value((*own, *board))
    if standard.category(value) > standard.category(standard.value(board)):
        return True
    one, other = own[0] >> 2, own[1] >> 2
    ranks = [card >> 2 for card in board]
    if one == other or one in ranks or other in ranks:
        return True
    return dealer_outs(own, board, value) < _OUTS_TO_FOLD


def dealer_outs(own: Sequence[int], board: Sequence[int], value: int) -> int:
    """Return how many unseen cards would, together with the board alone, beat the player's hand."""
    ranks = [card >> 2 for card in board]
    suits = [card & 3 for card in board]
    distinct = set(ranks)
    if len(distinct) < 4 or max(map(suits.count, suits)) > 3 or _straight(distinct):
        return _outs_one_by_one(own, board, value)
    # The board is a pair at most, and the player's cards are kickers. A card that pairs the board beats them. So does a
    # straight, or a card above the player's best that is itself high enough to play.
    outs = sum(4 - ranks.count(held) for held in distinct)
    mine = [card >> 2 for card in own]
    best, lowest = max(mine), min(held for held in distinct if ranks.count(held) == 1)
    for rank in range(13):
        if rank not in distinct and ((rank > best and rank > lowest) or _straight({*distinct, rank})):
            outs += 4 - mine.count(rank)
    return outs


def _straight(ranks: set[int]) -> bool:
    mask = sum(1 << rank for rank in ranks)
    mask = mask << 1 | mask >> 12  # an ace also counts below the two
    return bool(mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4)


def _outs_one_by_one(own: Sequence[int], board: Sequence[int], value: int) -> int:
    seen = {*own, *board}
    return sum(card not in seen and standard.value((*board, card)) > value for card in DECK)


def pikit(slips: int, whim: Whim) -> Callable[[House, Sequence[int]], str] | None:
    """Return a player of Pik-it by the stored card; a slip folds, or plays a hand that should fold."""
    if (whim & 255) >= slips:
        return None

    def decide(house: House, held: Sequence[int]) -> str:
        return "play5" if pik_choice(house, held) == "fold" else "fold"

    return decide


def colorado(house: House, slips: int, whim: Whim) -> tuple[str, ...]:
    """Return the acts of a Colorado player without looking at the cards; usually none."""
    if (whim & 255) >= slips:
        return ()
    return ("fold",) if house["version"] == "required" else ("play",)


@lru_cache(maxsize=1)
def fast_action() -> Callable[[House, Sequence[int]], str]:
    """Return a player of Fast Action: declares naturals, splits two strong pairs, surrenders four small cards."""

    def decide(_: House, held: Sequence[int]) -> str:
        if len(held) != 4:
            return "set"
        if is_natural(held):
            return "natural"
        ranks = sorted(card >> 2 for card in held)
        if ranks[0] == ranks[1] >= _STRONG and ranks[2] == ranks[3]:
            return "split"
        suited = len({card & 3 for card in held}) < 3
        if ranks[3] < _WEAK and len(set(ranks)) == 4 and ranks[3] - ranks[0] > 3 and not suited:
            return "surrender"
        return "set"

    return decide
