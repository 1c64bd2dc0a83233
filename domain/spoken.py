"""The record's words as people say them: wagers by their names, things by their number, and no word with its joints."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.money import dollars

_WAGERS = {
    "cover_all": "Cover All",
    "six_card": "six card bonus",
    "ultimate_pairs": "ultimate pairs",
    "bad_beat": "bad beat",
    "play_the_board": "play the board",
    "envy": "envy bonus",
    "bonus5": "5 card bonus",
    "bonus3": "3 card bonus",
    "play3": "play 3",
    "play5": "play 5",
    "original": "original wager",
    "split": "split wager",
}
# Fields that hold names of the record's own, and what is said before them.
_NAMES = {"wager": "", "option": "", "unseen wagers": "unseen "}
_JOINED = re.compile(r"\b[a-z][a-z0-9]*[_.][a-z0-9_.]*[a-z0-9]")
_SHORT = re.compile(r"\b(?:(?:bonus|play)[35]|original)\b(?! wager)")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
_JOINT = re.compile(r"(?<=[a-z])(?=[0-9])")
_ENVY = re.compile(r"envy_([0-9]+)")  # a pay table of its own for each amount


def name_of_wager(wager: str) -> str:
    """A wager, or the pay table of one, as the floor calls it: six card bonus, play the board."""
    envy = _ENVY.fullmatch(wager)
    return f"envy bonus at {dollars(int(envy[1]))}" if envy else _WAGERS.get(wager, plain(wager))


def the_wager(wager: str) -> str:
    """The same where a sentence says that it is one: ante wager, six card bonus wager; the envy bonus is none."""
    name = name_of_wager(wager)
    return name if wager == "envy" or name.endswith("wager") else f"{name} wager"


def plain(word: str) -> str:
    """A word of the record without its joints: royal flush, payout cap, discard rack."""
    return word.replace("_", " ").replace("-", " ")


def name_of_choice(choice: str) -> str:
    """What a player chose, as the floor calls it: fold, play 3, short void."""
    return _JOINT.sub(" ", plain(choice))


def in_words(text: str) -> str:
    """A sentence that names options, wagers and hands as configurations write them, for people."""
    whole = _JOINED.sub(lambda found: name_of_wager(found[0].replace(".", " ")), text)
    return _QUOTED.sub(r'"\1"', _SHORT.sub(lambda found: name_of_wager(found[0]), whole))


def number_of(number: int | None, one: str, many: str = "") -> str:
    """So many of a thing: 1 card, 2 cards."""
    if number == 1:
        return f"1 {one}"
    return f"{'an unknown number of' if number is None else number} {many or f'{one}s'}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: ante, blind and play."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "")))


def times(number: int) -> str:
    """How often: once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def amount_of(value: Any) -> str:
    """Cents as dollars, wherever they stand; by name where there are several."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name_of_wager(str(name))} {amount_of(each)}" for name, each in value.items())
    return dollars(value) if isinstance(value, int) else said(value)


def said(value: Any) -> str:
    """Any value of a fact in words; nothing where it says nothing."""
    if value is None or value is msgspec.UNSET:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, msgspec.Struct):
        return fields({name: getattr(value, name) for name in value.__struct_fields__})
    if isinstance(value, Mapping):
        return fields(value, "; ")
    if isinstance(value, tuple | list | set | frozenset):
        return ", ".join(map(said, value))
    return str(value)


def fields(held: Mapping[str, Any], between: str = ", ") -> str:
    """Fields with their names, those left out that say nothing: deck T7-deck-1, not face up, ante $10."""
    return between.join(shown for name, value in held.items() if (shown := _field(plain(str(name)), value)))


def _field(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return name if value else f"not {name}"
    if name in _NAMES:
        held = value if isinstance(value, tuple | list) else (value,)
        shown = ", ".join(name_of_wager(str(each)) for each in held if each)
        return f"{_NAMES[name]}{shown}" if shown else ""
    if name.split()[-1:] == ["cents"]:
        words = [name.removesuffix("cents").strip(), "" if value is None else amount_of(value)]
        return " ".join(filter(None, words)) if words[1] else ""
    shown = said(value)
    return f"{name_of_wager(name)} {shown}" if shown else ""
