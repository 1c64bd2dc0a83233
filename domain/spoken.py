"""The record's words in readable form: names of wagers, counted things, words without underscores or hyphens."""

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
# Fields that hold names from the record, and the words shown before them.
_NAMES = {"wager": "", "option": "", "unseen wagers": "unseen "}
_JOINED = re.compile(r"\b[a-z][a-z0-9]*[_.][a-z0-9_.]*[a-z0-9]")
_SHORT = re.compile(r"\b(?:(?:bonus|play)[35]|original)\b(?! wager)")
_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)")
_JOINT = re.compile(r"(?<=[a-z])(?=[0-9])")
_ENVY = re.compile(r"envy_([0-9]+)")  # each amount has a pay table of its own


def name_of_wager(wager: str) -> str:
    """Return the floor's name for a wager or its pay table: six card bonus, play the board."""
    envy = _ENVY.fullmatch(wager)
    return f"envy bonus at {dollars(int(envy[1]))}" if envy else _WAGERS.get(wager, plain(wager))


def the_wager(wager: str) -> str:
    """Return the name with the word wager: ante wager, six card bonus wager; but the envy bonus is no wager."""
    name = name_of_wager(wager)
    return name if wager == "envy" or name.endswith("wager") else f"{name} wager"


def plain(word: str) -> str:
    """Return a word of the record without underscores or hyphens: royal flush, payout cap, discard rack."""
    return word.replace("_", " ").replace("-", " ")


def name_of_choice(choice: str) -> str:
    """Return the floor's name for a player's choice: fold, play 3, short void."""
    return _JOINT.sub(" ", plain(choice))


def in_words(text: str) -> str:
    """Return a sentence with options, wagers and hands in readable names instead of configuration names."""
    whole = _JOINED.sub(lambda found: name_of_wager(found[0].replace(".", " ")), text)
    return _QUOTED.sub(r'"\1"', _SHORT.sub(lambda found: name_of_wager(found[0]), whole))


def number_of(number: int | None, one: str, many: str = "") -> str:
    """Return a number with its noun: 1 card, 2 cards."""
    if number == 1:
        return f"1 {one}"
    return f"{'an unknown number of' if number is None else number} {many or f'{one}s'}"


def rounds_from(first: int, last: int | None) -> str:
    """Return a round, or a stretch of rounds up to the last one: round 3, rounds 3 to 9."""
    return f"round {first}" if last is None else f"rounds {first} to {last}"


def listed(names: Sequence[str]) -> str:
    """Return names joined for a sentence: ante, blind and play."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1] if names else "")))


def times(number: int) -> str:
    """Return once, twice, 3 times."""
    return {1: "once", 2: "twice"}.get(number, f"{number} times")


def amount_of(value: Any) -> str:
    """Return cents as dollars, wherever they are nested; several amounts with their names."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name_of_wager(str(name))} {amount_of(each)}" for name, each in value.items())
    return dollars(value) if isinstance(value, int) else said(value)


def said(value: Any) -> str:
    """Return any value of a fact in words; empty if it has none."""
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
    """Return fields with their names, without empty ones: deck T7-deck-1, not face up, ante $10."""
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
