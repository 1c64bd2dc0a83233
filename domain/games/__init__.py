"""The registry of rule books: one line for each, with its game."""

from collections.abc import Mapping
from types import MappingProxyType

from domain.games.declared import COLORADO, FAST_ACTION, MARYLAND, MASSACHUSETTS, PIK_IT, UNKNOWN
from domain.games.game import Game, following

GAMES: Mapping[str, Game] = MappingProxyType(
    {
        "UTH-MA": MASSACHUSETTS,
        "UTH-MD": MARYLAND,
        "PIK": PIK_IT,
        "FAH": FAST_ACTION,
        "COL": COLORADO,
    }
)
BOOKS = tuple(GAMES)
# All wagers: those of the five texts, and those that houses added.
WAGERS = (
    *("ante", "blind", "play", "trips", "cover_all", "progressive", "envy", "six_card", "ultimate_pairs", "bad_beat"),
    *("play_the_board", "bonus5", "bonus3", "play3", "play5", "original", "split", "bonus", "bet"),
    *dict.fromkeys(wager for game in GAMES.values() for wager in game.settles_like),
)

__all__ = ["BOOKS", "GAMES", "UNKNOWN", "WAGERS", "Game", "followers_of", "following", "game"]


def followers_of(text: str) -> tuple[str, ...]:
    """Return the books that follow the text of this one, without this book itself."""
    return tuple(book for book, game in GAMES.items() if game.text == text and book != text)
