"""Days no dealer would recognise: facts of lawful ones left out, doubled, moved, and told with other values."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from domain.cards import DECK, show
from domain.facts.envelope import Fact

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
