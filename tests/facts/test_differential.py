"""The published schemas and the codec agree on facts altered at random, but for what docs/bindings/README.md says."""

import json
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema
from referencing import Registry, Resource

from domain.facts.codec import UnreadableFactError
from domain.facts.inputs import read_input
from tests.citations import ROOT

MANY = 20_000
SCHEMAS = ROOT / "docs/facts/schemas"
GOLDEN = ROOT / "tests/golden/facts"

Value = Any
WORDS = (
    "",
    "x",
    "ante",
    "blind",
    "Th",
    "10h",
    "??",
    "seat",
    "dealer",
    "UTH-MD",
    "main",
    "x" * 128,
    "x" * 129,
    "0" * 64,
)
NUMBERS = (
    -1,
    0,
    1,
    12,
    13,
    10_000,
    10_001,
    10**6,
    10**6 + 1,
    10**11,
    10**11 + 1,
    2**53 - 1,
    2**53,
    253_402_127_999_999_999,
)
OTHERS = (
    253_402_128_000_000_000,
    2**63,
    1.0,
    7.5,
    -0.0,
    1e30,
    True,
    False,
    None,
    [],
    {},
    ["Th", "Th"],
    {"ante": 7},
    {"x": {}},
)
VALUES: tuple[Value, ...] = (*WORDS, *NUMBERS, *OTHERS)


def test_schemas_and_codec_agree_on_facts_altered_at_random() -> None:
    chance = random.Random(17)  # noqa: S311 - which facts are altered, and how
    whole = [json.loads(path.read_bytes()) for path in sorted(GOLDEN.glob("*.json"))]
    verdict = _by_the_schemas()
    seen: Counter[tuple[bool, bool]] = Counter()
    for _ in range(MANY):
        fact = json.loads(json.dumps(chance.choice(whole)))
        for _ in range(chance.choice((0, 1, 1, 1, 2, 3))):
            _alter(fact, chance)
        by_schema, by_codec = verdict(fact), _by_the_codec(fact)
        seen[by_schema, by_codec] += 1
        assert by_schema == by_codec or (by_schema and _has_a_whole_double(fact)), json.dumps(fact)
    assert seen[True, True] > MANY // 5
    assert seen[False, False] > MANY // 5


def _alter(fact: dict[str, Value], chance: random.Random) -> None:
    """Alter one thing, at any depth."""
    here: Any = fact
    while True:
        inner = [
            each
            for each in (here.values() if isinstance(here, dict) else here)
            if isinstance(each, dict | list) and each
        ]
        if not inner or chance.random() < 0.7:
            break
        here = chance.choice(inner)
    at = chance.choice(list(here) if isinstance(here, dict) else range(len(here)))
    how = chance.random()
    if how < 0.7:
        here[at] = chance.choice(VALUES)
    elif how < 0.8:
        here.pop(at)
    elif isinstance(here, dict):
        here[chance.choice((f"{at}s", "note", "Type", "ante", "main"))] = here[at] if how < 0.9 else here.pop(at)
    else:
        here.append(here[at])


def _by_the_schemas() -> Callable[[Value], bool]:
    read = {path.stem: json.loads(path.read_bytes()) for path in SCHEMAS.glob("*.json")}
    shared: Registry[Any] = Resource.from_contents(read.pop("shared")) @ Registry()
    readers = {name: jsonschema.Draft202012Validator(schema, registry=shared) for name, schema in read.items()}

    def verdict(fact: Value) -> bool:
        kind = fact.get("type")
        return isinstance(kind, str) and kind in readers and readers[kind].is_valid(fact)

    return verdict


def _by_the_codec(fact: Value) -> bool:
    try:
        read_input(json.dumps(fact).encode())
    except UnreadableFactError:
        return False
    return True


def _has_a_whole_double(value: Value) -> bool:
    """Whether a number is written with a decimal point though it is whole: an integer to JSON Schema, and refused."""
    if isinstance(value, float):
        return value.is_integer()
    if isinstance(value, dict):
        value = list(value.values())
    return isinstance(value, list) and any(_has_a_whole_double(each) for each in value)
