"""A round's facts as a dealer's card would list them: one short line a step."""

from collections.abc import Iterable
from typing import Any

from domain.facts.codec import name_of
from domain.facts.envelope import Fact

# Field after field, as far as they are filled; what goes without saying is left out.
_SHOWN = (
    "to",
    "of",
    "on",
    "position",
    "reason",
    "seat",
    "decision",
    "wager",
    "hand",
    "ruling",
    "slot",
    "index",
    "size",
)
_COUNTED = ("cents", "count", "cards", "discarded", "misdealt", "confirmed")
_UNSAID = ("", "seat", "discard-rack")


def steps(facts: Iterable[Fact], *, without: Iterable[str] = ()) -> list[str]:
    """Each fact in a few words; kinds of fact in `without` are left out."""
    skipped = set(without)
    return [step(fact) for fact in facts if kind(fact) not in skipped]


def kind(fact: Fact) -> str:
    """`wager-paid` of `wager-paid.1`."""
    return name_of(fact).rpartition(".")[0]


def step(fact: Fact) -> str:
    """One fact in a few words: `wager-paid 4 bonus3 500`."""
    words = [kind(fact)]
    for field in (*_SHOWN, *_COUNTED):
        held: Any = getattr(fact, field, None)
        if isinstance(held, bool):
            words.append("yes" if held else "no")
        elif isinstance(held, (int, str)) and held not in _UNSAID and not (field == "slot" and isinstance(held, int)):
            words.append(str(held))
    return " ".join(words)
