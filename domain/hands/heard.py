"""A lenient reading of a dealer's announcement: a category and the ranks named.

Words that name no known hand give None, and no finding follows from them. What the dealer leaves out does not count
against the hand: "full house" agrees with any full house, "nines full" with any full house of nines.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

import msgspec

from domain.cards import ACE, FIVE, RANK_NAMES, RANK_PLURALS
from domain.hands.ranked import CATEGORY_BITS

QUALIFIES, NO_QUALIFY = "qualifies", "no qualify"


class Heard(msgspec.Struct, frozen=True, gc=False):
    """An announced hand: its category, the ranks named in deciding order, and whether the dealer said it qualifies."""

    category: str = ""
    ranks: tuple[int, ...] = ()
    says: str = ""  # qualifies, no qualify


_RANK_OF = {
    **{name: number for number, name in enumerate(RANK_NAMES)},
    **{name: number for number, name in enumerate(RANK_PLURALS)},
    **{f"{digit}{ending}": digit - 2 for digit in range(2, 11) for ending in ("", "s")},
    **{f"{letter}{ending}": rank for letter, rank in zip("tjqk", range(8, 12), strict=True) for ending in ("", "s")},
    "deuce": 0,
    "deuces": 0,
    "trey": 1,
    "treys": 1,
}
_ACE_HIGH = re.compile(r"\ba high\b")
_NO_QUALIFY = re.compile(r"\b(?:no|not|non|doesnt|does not|without)\b.*\b(?:qualif\w*|open\w*)")
_QUALIFIES = re.compile(r"\bqualif\w*|\bopens?\b")
_KICKER = re.compile(r"\b(?:with|plus)\b.*|\w+ kickers?\b")

# Tried from the top: longer names come before the shorter ones they contain. `three`, `four` and `five` are ranks too,
# so a number makes a category only before a rank or before "of a kind".
_CATEGORIES = (
    (re.compile(r"\bsuper royal\b"), "super_royal"),
    (re.compile(r"\b(?:royal flush|royal)\b"), "royal_flush"),
    (re.compile(r"\b(?:straight flush|steel wheel)\b"), "straight_flush"),
    (re.compile(r"\b(?:five of a kind|quints)\b"), "five_of_a_kind"),
    (re.compile(r"\b(?:four of a kind|quads)\b"), "four_of_a_kind"),
    (re.compile(r"\b(?:full house|full boat|boat|full(?: of| over)?)\b"), "full_house"),
    (re.compile(r"\bflush\b"), "flush"),
    (re.compile(r"\b(?:straight|wheel|broadway)\b"), "straight"),
    (re.compile(r"\b(?:three of a kind|trips?|set)\b"), "three_of_a_kind"),
    (re.compile(r"\b(?:two|2) pairs?\b"), "two_pair"),
    (re.compile(r"\b(?:no pair|nothing|high card)\b"), "high_card"),
    (re.compile(r"\b(?:one pair|pair)\b"), "pair"),
)
_SO_MANY = {"five": "five_of_a_kind", "four": "four_of_a_kind", "three": "three_of_a_kind", "two": "pair"}
_BY_TOP = frozenset({"straight", "straight_flush", "flush", "high_card", "royal_flush", "super_royal"})
_WITH = "flush with "
_OF_TWO = ("two_pair", "full_house")
_PAIRED = frozenset({"pair", "two_pair", "three_of_a_kind", "full_house", "four_of_a_kind", "five_of_a_kind"})


@lru_cache(maxsize=8192)
def heard(words: str) -> Heard | None:
    """Return the hand these words announce, or None if they name no known hand."""
    text = " ".join(re.sub(r"[^a-z0-9 ]", " ", re.sub(r"[’']", "", words.lower())).split())
    if _NO_QUALIFY.search(text):
        return Heard(says=NO_QUALIFY)
    if _QUALIFIES.search(text):
        return Heard(says=QUALIFIES)
    text = _ACE_HIGH.sub("ace high", text)
    if text.startswith(_WITH):
        inner = _hand(text.removeprefix(_WITH))
        if inner is not None and inner.category in _PAIRED:
            return Heard(f"flush_with_{inner.category}", inner.ranks)
    return _hand(text)


def _hand(text: str) -> Heard | None:
    if many := _so_many(text):
        return many
    for words, category in _CATEGORIES:
        found = words.search(text)
        if found is None:
            continue
        rest = f"{text[: found.start()]} {text[found.end() :]}"
        if category in _BY_TOP:
            return _topped(category, rest, found[0])
        named = _ranks(_KICKER.sub("", rest))
        return Heard(category, named[: 2 if category in _OF_TWO else 1])
    if "high" in text.split():
        return _topped("high_card", text, "")
    named = _ranks(text)
    if "up" in text.split() and named:
        return Heard("two_pair", named[:1])
    return None


def _so_many(text: str) -> Heard | None:
    """Return the hand in `four kings`, `three 9s`, `two jacks`: a number and the plural of a rank, nothing else."""
    parts = text.split()
    if len(parts) == 2 and parts[0] in _SO_MANY and parts[1] in _RANK_OF and parts[1].endswith("s"):
        return Heard(_SO_MANY[parts[0]], (_RANK_OF[parts[1]],))
    return None


def _topped(category: str, text: str, name: str) -> Heard | None:
    """Return a hand named by its highest card; `to` names both ends of a run."""
    if category in ("royal_flush", "super_royal"):
        return Heard("royal_flush" if category == "royal_flush" else category)
    if "wheel" in name:
        return Heard(category, (FIVE,))
    if "broadway" in name:
        return Heard(category, (ACE,))
    named = _ranks(text)
    if not named:
        return Heard(category)
    if category in ("straight", "straight_flush"):
        top = _top_of_run(named)
        return None if top is None else Heard(category, (top,))
    return Heard(category, (max(named),))


def _top_of_run(named: Sequence[int]) -> int | None:
    if len(set(named)) == 1:
        return named[0]
    low, high = min(named), max(named)
    if high == ACE and low <= FIVE:  # ace to five
        return max(rank for rank in named if rank != ACE) if FIVE in named else None
    return high if high - low <= 4 else None


def _ranks(text: str) -> tuple[int, ...]:
    return tuple(_RANK_OF[word] for word in text.split() if word in _RANK_OF)


def agrees(said: Heard, value: int, categories: Sequence[str]) -> bool:
    """Return whether the words are true of a hand of this value, given the categories of its ranker in order."""
    category = categories[value >> CATEGORY_BITS]
    if said.category != category:
        top = said.ranks[:1]
        return category == "royal_flush" and said.category == "straight_flush" and top == (ACE,)
    deciding = (value >> 16 & 15, value >> 12 & 15)
    if category.endswith("two_pair"):
        return set(said.ranks) <= set(deciding)
    return said.ranks == deciding[: len(said.ranks)]
