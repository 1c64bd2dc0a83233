"""The nearest right value for a wrong one: a word, a card, a time or an amount. Pure, and bounded for any input."""

import re
from collections.abc import Collection, Iterable
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

from domain.cards import RANK_NAMES, RANKS, SUIT_NAMES, SUITS
from domain.facts.envelope import LATEST

LONGEST_WORD = 64  # a longer text is like no word
_LONGEST_HAND = 200  # letters of a text that names several cards
_MOST_DIGITS = 24  # of a number; a longer one is like no time or amount
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_BETWEEN = (946_684_800, 4_102_444_800)  # seconds: from 2000 to 2100, where each unit of a time has its own numbers
UNITS = (  # of a time: how many to a second, and its name
    (1, "seconds"),
    (1_000, "milliseconds"),
    (1_000_000, "microseconds"),
    (1_000_000_000, "nanoseconds"),
)
_MICRO = 1_000_000
_SUIT_SIGNS = {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
_UNSEEN = frozenset({"", "?", "x", "xx", "back", "unknown", "unseen", "hidden", "facedown", "none", "null", "na"})
_PLAYING_CARDS = ((0x1F0A0, "s"), (0x1F0B0, "h"), (0x1F0C0, "d"), (0x1F0D0, "c"))
_PLAYING_RANKS = dict(zip((1, *range(2, 12), 13, 14), ("A", *RANKS[:10], "Q", "K"), strict=True))
_RANK_WORDS = {
    **dict(zip(RANK_NAMES, RANKS, strict=True)),
    **{rank.lower(): rank for rank in RANKS},
    "10": "T",
    "1": "A",
    "11": "J",
    "12": "Q",
    "13": "K",
    "14": "A",
}
_SUIT_WORDS = {
    **dict(zip(SUIT_NAMES, SUITS, strict=True)),
    **{name[:-1]: suit for name, suit in zip(SUIT_NAMES, SUITS, strict=True)},
    **{suit: suit for suit in SUITS},
}
_OTHER_WORDS = {  # of other systems, and ours
    "player": "seat",
    "position": "seat",
    "house": "dealer",
    "bank": "dealer",
    "board": "community",
    "raise": "play",
    "call": "play",
    "bet": "play",
    "pass": "check",
    "muck": "fold",
}
_MONEY = re.compile(
    r"(?:USD|US\$|\$)?\s*(-?[0-9]{1,3}(?:,[0-9]{3})+|-?[0-9]+)(\.[0-9]+)?\s*(?:USD|dollars?)?", re.IGNORECASE
)


def word(given: str, words: Iterable[str]) -> str:
    """Return the word that was probably meant, or an empty string."""
    return _word(given, tuple(words)) if len(given) <= LONGEST_WORD else ""


@lru_cache(maxsize=4096)
def _word(given: str, words: tuple[str, ...]) -> str:
    plain: dict[str, str] = {}
    for each in words:
        plain.setdefault(_plain(each), each)
    if (said := _plain(given)) in plain:
        return plain[said]
    if (other := _OTHER_WORDS.get(said, "")) in words:
        return other
    close = get_close_matches(said, plain, 2)
    if len(close) > 1 and len({SequenceMatcher(None, each, said).ratio() for each in close}) == 1:
        return ""  # two words are equally near
    return plain[close[0]] if close else ""


def _plain(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


def type_name(given: str, types: Collection[str]) -> str:
    """Return the name of the type of fact that was probably meant, with its version."""
    bare = given.removeprefix("catwalk.").partition(".")[0]
    held = {name.partition(".")[0]: name for name in types}
    return held.get(word(bare, held), "")


def card(given: str) -> str:
    """Return the card that another notation names: 10h, TH, h10, T♥, Ten of Hearts, 🂺; `??` for an unseen one."""
    if len(given) > LONGEST_WORD:
        return ""
    text = "".join(_SUIT_SIGNS.get(letter, letter) for letter in given).strip()
    if len(text) == 1 and (drawn := _drawn(ord(text))):
        return drawn
    text = text.lower()
    if _plain(text) in _UNSEEN:
        return "??"
    parts = [part for part in re.split(r"[^0-9a-z]+|\bof\b", text) if part]
    if len(parts) == 1:
        joined = parts[0]
        parts = [joined[:-1], joined[-1:]] if joined[-1:] in SUITS else [joined[1:], joined[:1]]
    if len(parts) != 2:
        return ""
    for rank, suit in (parts, parts[::-1]):
        if rank in _RANK_WORDS and suit in _SUIT_WORDS:
            return f"{_RANK_WORDS[rank]}{_SUIT_WORDS[suit]}"
    return ""


def cards(given: str) -> tuple[str, ...]:
    """Return the cards that a text names one after another, such as Ah 10h; none if one of them cannot be read."""
    parts = re.split(r"[\s,;|]+", given.strip()) if len(given) <= _LONGEST_HAND else []
    found = tuple(each if each == "??" else card(each) for each in parts if each)
    return found if all(found) else ()


def _drawn(sign: int) -> str:
    """Return the card of a character that shows a playing card."""
    for first, suit in _PLAYING_CARDS:
        if sign - first in _PLAYING_RANKS:
            return f"{_PLAYING_RANKS[sign - first]}{suit}"
    return ""


def time(given: str) -> tuple[int, str] | None:
    """Return a time in microseconds, and the unit it came in; None if the text is no time of this century.

    A number has the unit in which it is a time of this century: no number is one in two units.
    """
    if (number := decimal(given)) is None:
        return _from_iso(given)
    for to_second, unit in UNITS:
        if _BETWEEN[0] * to_second <= number < _BETWEEN[1] * to_second:
            return int(number * _MICRO) // to_second, unit
    return None


def _from_iso(given: str) -> tuple[int, str] | None:
    try:
        moment = datetime.fromisoformat(given.strip())
    except ValueError:
        return None
    try:
        at = (moment.replace(tzinfo=moment.tzinfo or UTC) - _EPOCH) // timedelta(microseconds=1)
    except OverflowError:
        return None
    unit = "text" if moment.tzinfo is not None else "text without a zone"
    return (at, unit) if 0 <= at <= LATEST else None


def cents(given: str) -> tuple[int, bool] | None:
    """Return an amount in cents, and whether it came in dollars; None if the text is no amount."""
    found = _MONEY.fullmatch(given.strip()) if len(given) <= LONGEST_WORD else None
    if found is None or (number := decimal(found[1].replace(",", "") + (found[2] or ""))) is None:
        return None
    plain = found[0] == found[1]
    amount = number if plain else number * 100
    return (int(amount), not plain) if amount == int(amount) else None


def decimal(given: str) -> Decimal | None:
    """Return the number a text says, exactly; None if it says none, or one with too many digits."""
    text = given.strip()
    if len(text) > LONGEST_WORD or not text.isascii() or "_" in text:
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() and abs(number.adjusted()) < _MOST_DIGITS else None
