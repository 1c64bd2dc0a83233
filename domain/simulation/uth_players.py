"""The default decisions of a player of Ultimate Texas Hold'em: good, but not perfect.

Before the flop the player follows the stored strategy. After the flop the player bets twice the ante with two pair or
better, with a pair that is not only the board's, or with four to a flush and a good own card. At the river the player
plays unless the hand is only the board's.
"""

from collections.abc import Sequence

from domain.cards import TEN
from domain.hands import standard
from domain.odds.play import uth_preflop
from domain.rulebooks import House

_DECENT_KICKER = 9  # a jack, with the two as 0


def decide(house: House, own: Sequence[int], board: Sequence[int]) -> str:
    """Return `check`, `play`, `play:3`, `play:4` or `fold`, by the cards a player sees."""
    if not board:
        multiple = uth_preflop(own, str(house.options.get("blind_table") or "A"))
        return f"play:{multiple}" if multiple else "check"
    if len(board) == 3:
        return "play" if _strong_on_flop(own, board) else "check"
    value = standard.value((*own, *board))
    if standard.category(value) > standard.category(standard.value(board)):
        return "play"
    return "play" if value > standard.value(board) and max(card >> 2 for card in own) >= _DECENT_KICKER else "fold"


def _strong_on_flop(own: Sequence[int], board: Sequence[int]) -> bool:
    category = standard.category(standard.value((*own, *board)))
    if category > standard.PAIR:
        return True
    if category == standard.PAIR and len({card >> 2 for card in board}) == len(board):
        return True
    for suit in range(4):
        flushing = [card for card in (*own, *board) if card & 3 == suit]
        if len(flushing) >= 4 and any(card in flushing and card >> 2 >= TEN for card in own):
            return True
    return False
