"""Cards: small integers inside, `Ah` outside, `??` for an unseen card."""

from collections.abc import Iterable, Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
RANK_NAMES = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_PLURALS = tuple("sixes" if name == "six" else f"{name}s" for name in RANK_NAMES)
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(13)
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

UNKNOWN = 52  # one past the deck, so that no table indexed by card can mistake it for a seen one
DECK: tuple[int, ...] = tuple(range(52))

_TEXTS = (*(rank + suit for rank in RANKS for suit in SUITS), "??")
_NUMBERS = {text: number for number, text in enumerate(_TEXTS)}


class BadCardError(ValueError):
    """Raised for text that does not name a card."""


def rank(card: int) -> int:
    """Return the rank of a card, from 0 for a two to 12 for an ace."""
    return card >> 2


def suit(card: int) -> int:
    """Return the suit of a card: 0 clubs, 1 diamonds, 2 hearts, 3 spades; the numbers are names, not an order."""
    return card & 3


def card(text: str) -> int:
    """Return the card a text names: `Ah`, `Td`, `??`."""
    number = _NUMBERS.get(text)
    if number is None:
        raise BadCardError(f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, or ??")
    return number


def cards(texts: str | Iterable[str]) -> tuple[int, ...]:
    """Return the cards of `"Ah Td"` or of `["Ah", "Td"]`."""
    return tuple(map(card, texts.split() if isinstance(texts, str) else texts))


def show(numbers: Sequence[int]) -> str:
    """Return cards as a person writes them: `Ah Td ??`."""
    return " ".join(_TEXTS[number] for number in numbers)
