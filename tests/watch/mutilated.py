"""Days no dealer would recognise: facts of lawful ones left out, doubled, moved, and told with other values."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from random import Random
from typing import Any

import msgspec

from domain.cards import DECK, show
from domain.facts.catalogue import TYPES
from domain.facts.envelope import Fact
from tests.export.hostile import variants

SEATS = (1, 2, 3, 4, 6)
WAGERS = ("ante", "blind", "play", "trips", "play3", "play5", "bonus5", "bonus3", "original", "split", "bet", "bonus")
MORE = ("progressive", "envy", "cover_all", "six_card", "bad_beat")
CHOICES = ("check", "play", "fold", "play3", "play5", "surrender", "split", "natural", "declare", "void", "complete")


def mutilated(facts: Sequence[Fact], chance: Random, *, harm: int) -> list[Fact]:
    """The opening as it was, and behind it everything in doubt: `harm` of a hundred facts are spoiled."""
    opening = next(place for place, fact in enumerate(facts) if fact.round is not None)
    told: list[Fact] = []
    for fact in facts[opening:]:
        if chance.randrange(100) >= harm:
            told.append(fact)
            continue
        match chance.randrange(6):
            case 0:
                pass
            case 1:
                told += [fact, _again(fact, len(told))]
            case 2:
                told.insert(chance.randrange(len(told) + 1), fact)
            case _:
                told.append(_spoiled(fact, chance))
    return [*facts[:opening], *told]


def littered(facts: Sequence[Fact], chance: Random) -> list[Fact]:
    """A day with facts of any type where they do not belong, and with some of its own said up to sixty times."""
    told, stream = list(facts), facts[1].stream
    for number in range(chance.choice((1, 3, 10, 40))):
        at = chance.randrange(1, len(told))
        near = told[at]
        here: dict[str, Any] = {"stream": stream, "at": near.at}
        if chance.random() < 0.8:
            fact, times = chance.choice(chance.choice(list(WORST.values()))()), 1
            if getattr(fact, "seat", None):
                here["seat"] = chance.choice(SEATS)
        else:
            fact, times = chance.choice(told[1:]), chance.choice((1, 2, 5, 60))
        if fact.round is not None:
            here["round"] = near.round
        keys = (f"{number}:{time}" for time in range(times))
        told[at:at] = [msgspec.structs.replace(fact, **here, source_key=key) for key in keys]
    return told


def swamped(facts: Sequence[Fact], name: str, at: int) -> list[Fact]:
    """A day with all of a type's worst facts at one place, in its round and at the seat of a player."""
    here: dict[str, Any] = {"stream": facts[at].stream, "at": facts[at].at}
    told = []
    for fact in WORST[name]():
        seat = {"seat": 3} if getattr(fact, "seat", None) else {}
        number = {"round": facts[at].round} if fact.round is not None else {}
        told.append(msgspec.structs.replace(fact, **here, **seat, **number))
    return [*facts[:at], *told, *facts[at:]]


def _worst_facts(name: str) -> list[Fact]:
    """Facts of one type, each with one field at its worst."""
    facts: list[Fact] = []
    for line in variants(name, "T1/2026-11-18"):
        with suppress(msgspec.ValidationError):  # not a value this field can have
            facts.append(msgspec.convert(msgspec.json.decode(line), TYPES[name]))
    return facts


WORST = {
    name: cache(partial(_worst_facts, name)) for name in sorted(TYPES.keys() - {"property-opened.1", "table-opened.1"})
}


def _again(fact: Fact, number: int) -> Fact:
    return msgspec.structs.replace(fact, source_key=f"{fact.source_key}*{number}")


def _spoiled(fact: Fact, chance: Random) -> Fact:
    """Another value in one of its fields."""
    fields = [name for name in fact.__struct_fields__ if name in _OTHERS]
    if not fields:
        return fact
    name = chance.choice(fields)
    try:
        return msgspec.convert(
            msgspec.to_builtins(msgspec.structs.replace(fact, **{name: _OTHERS[name](chance)})), type(fact)
        )
    except msgspec.ValidationError:  # not a value this field can have
        return fact


def _cards(chance: Random) -> tuple[str, ...]:
    return tuple(_card(chance) for _ in range(chance.randrange(7)))


def _card(chance: Random) -> str:
    return "??" if chance.random() < 0.3 else show([chance.choice(DECK)])


_OTHERS: dict[str, Any] = {
    "seat": lambda chance: chance.choice((*SEATS, None)),
    "wager": lambda chance: chance.choice((*WAGERS, *MORE)),
    "cents": lambda chance: chance.choice((None, 0, 1, 500, 1_000, 33_333)),
    "coupon_cents": lambda chance: chance.choice((0, 500, 5_000)),
    "card": _card,
    "cards": _cards,
    "kept": _cards,
    "second": _cards,
    "size": lambda chance: chance.choice((None, 0, 1, 2, 3, 5, 9)),
    "to": lambda chance: chance.choice(("seat", "dealer", "community", "box", "discard-rack", "layout")),
    "of": lambda chance: chance.choice(("seat", "dealer", "community", "box", "seat:2", "six-card-box")),
    "face_up": lambda chance: chance.random() < 0.5,
    "exposed": lambda chance: chance.random() < 0.5,
    "decision": lambda chance: chance.choice(CHOICES),
    "ruling": lambda chance: chance.choice(("stands", "reversed", "void", "play on", "collect", "return", "pay", "x")),
    "misdealt": lambda chance: chance.random() < 0.5,
    "count": lambda chance: chance.choice((0, 1, 30)),
    "chips": lambda chance: chance.choice((0, 1, 2)),
    "meter": lambda chance: chance.choice(("main", "mega", "major", "minor", "other")),
    "deck": lambda chance: chance.choice(("", "T7-deck-1", "T7-deck-9")),
}
