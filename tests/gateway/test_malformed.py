"""Ten thousand inputs that are no facts, among good ones: each kept with its reason, all good ones on record."""

import json
import random
from pathlib import Path

from consumers.gateway.gateway import InputLine
from domain.facts.catalogue import TYPES
from domain.facts.codec import UnreadableFactError, decode, encode
from domain.facts.samples import sample
from tests.facts.events import to_cloudevent
from tests.gateway.floor import day, lines
from tests.gateway.test_gateway import MemoryLog, gateway, in_batches, whole

MANY = 10_000


def spoilt(good: bytes, chance: random.Random) -> bytes:
    """A good input damaged in one of the ways inputs are."""
    how = chance.choice(("flip", "cut", "join", "field", "type", "value", "nest", "noise", "event"))
    if how == "flip":
        at = chance.randrange(len(good))
        return good[:at] + bytes([good[at] ^ 1 << chance.randrange(8)]) + good[at + 1 :]
    if how == "cut":
        return good[: chance.randrange(len(good))]
    if how == "join":
        return good + chance.choice((b",", b"}", b"\x00", good))
    if how == "noise":
        return chance.randbytes(chance.randrange(1, 60))
    fact = json.loads(good)
    if how == "event":
        event = to_cloudevent(decode(good))
        damaged = chance.choice(("type", "time", "specversion", "data"))
        event[damaged] = chance.choice(("", 7, [], "2026") if damaged == "data" else ("", 7, None, [], "2026"))
        return json.dumps(event).encode()
    if how == "field":
        fact[f"x{chance.randrange(99)}"] = 1
    elif how == "type":
        fact["type"] = chance.choice(("", "wager-placed", "wager-placed.99", 7, None))
    elif how == "value":
        fact[chance.choice(list(fact))] = chance.choice((None, 1.5, [], {}, True, -1, 10**30))
    else:
        fact = {"fact": fact}
    return json.dumps(fact).encode()


def is_no_fact(stored: bytes) -> bool:
    if b"\n" in stored or not stored.strip() or b'"specversion": "1.0"' in stored:
        return b'"specversion"' in stored
    try:
        decode(stored)
    except UnreadableFactError:
        return True
    return False


def test_ten_thousand_malformed_inputs_are_kept_with_their_reasons_and_the_good_ones_arrive(tmp_path: Path) -> None:
    chance = random.Random(10_000)  # noqa: S311 - the same damage every time
    good = lines(day(rounds=300))
    models = [*good[:40], *(encode(sample(kind)) for kind in TYPES.values())]
    bad: list[bytes] = []
    while len(bad) < MANY:
        candidate = spoilt(chance.choice(models), chance)
        if is_no_fact(candidate):
            bad.append(candidate)
    mixed = [(stored, True) for stored in bad]
    places = sorted(chance.sample(range(len(bad) + len(good)), len(good)))
    for place, stored in zip(places, good, strict=True):
        mixed.insert(place, (stored, False))
    log = MemoryLog()
    one = gateway(tmp_path, log)
    inputs = [InputLine("feed", n, stored) for n, (stored, _) in enumerate(mixed, start=1)]
    for batch in in_batches(inputs, 1000):
        one.take(batch)
    kept = [entry.letter for entry in one.dead.all()]
    assert [letter.stored for letter in kept] == bad
    assert all(letter.says and letter.reason == "unreadable" for letter in kept)
    assert [letter.place for letter in kept] == [n for n, (_, is_bad) in enumerate(mixed, start=1) if is_bad]
    assert len(whole(log, "T7/2026-11-18")) == len(good)
    assert (one.report.read, one.report.placed, one.report.dead) == (MANY + len(good), len(good), MANY)
