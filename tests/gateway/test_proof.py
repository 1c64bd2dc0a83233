"""The judge of a record finds each fault it is there to find."""

import json
from collections.abc import Callable
from hashlib import sha256

import pytest

from tests.gateway.proof import Entry, expected_of, faults, repeats

Log = list[Entry]
INPUTS = [
    {"type": "table-opened.1", "table": "T7", "source": "desk", "source_key": "1"},
    {"type": "noted.1", "stream": "T7", "source": "reader", "source_key": "1"},
    {"type": "noted.1", "stream": "T7", "source": "sensor", "source_key": "1"},
    {"type": "noted.1", "stream": "T7", "source": "reader", "source_key": "2"},
]
EXPECTED = expected_of({"D": [json.dumps(said).encode() for said in INPUTS]})


def chained(inputs: list[dict[str, str]]) -> Log:
    """A log that holds these inputs as one chain, and a seal."""
    log: Log = []
    seal = {"type": "chain-sealed.1", "covers": len(inputs), "source": "gateway", "source_key": "seal"}
    for sequence, said in enumerate([*inputs, seal], start=1):
        previous = sha256(log[-1].stored).hexdigest() if log else ""
        fact = said | {"stream": "T7/D", "sequence": sequence, "previous": previous}
        log.append(Entry(0, json.dumps(fact).encode()))
    return log


def changed(entry: Entry) -> Entry:
    return entry._replace(stored=entry.stored.replace(b"sensor", b"censor"))


ROWS: list[tuple[str, Callable[[Log], Log], list[str]]] = [
    ("nothing", lambda log: log, []),
    ("sent again", lambda log: log + log[2:4], []),
    ("lost and closed up", lambda _: chained(INPUTS[:2] + INPUTS[3:]), ["sensor 1 is not in T7/D"]),
    ("doubled", lambda _: chained([*INPUTS, INPUTS[2]]), ["sensor 1 is in T7/D 2 times"]),
    ("never told", lambda _: chained([*INPUTS, INPUTS[2] | {"source_key": "9"}]), ["sensor 9 is in T7/D and was never told"]),
    ("a device's order", lambda _: chained([INPUTS[0], INPUTS[3], INPUTS[2], INPUTS[1]]), ["T7/D holds what reader said in another order"]),
    ("cut out", lambda log: log[:2] + log[3:], ["T7/D:4 comes after T7/D:2", "T7/D lacks 3 to 3", "sensor 1 is not in T7/D"]),
    ("a fork", lambda log: [*log[:3], changed(log[2]), *log[3:]], ["T7/D:3 is there twice, with other bytes"]),
    ("out of order", lambda log: [log[0], log[2], log[1], *log[3:]], ["T7/D:3 comes after T7/D:1", "T7/D:2 comes after T7/D:3"]),
    ("changed", lambda log: [*log[:2], changed(log[2]), *log[3:]], ["T7/D:4 does not name the hash of 3", "censor 1 is in T7/D and was never told", "sensor 1 is not in T7/D"]),
    ("unsealed", lambda log: log[:-1], ["T7/D ends unsealed, with 0 seals"]),
    ("two partitions", lambda log: [*log[:4], log[4]._replace(partition=1)], ["T7 is in the partitions 0 and 1"]),
    ("empty", lambda _: [], ["T7/D is not there"]),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "damage", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_a_fault_of_the_record_is_told(_what: str, damage: Callable[[Log], Log], says: list[str]) -> None:
    assert faults(damage(chained(INPUTS)), EXPECTED) == says


def test_a_seal_of_something_else_is_told() -> None:
    log = chained(INPUTS)
    log[-1] = log[-1]._replace(stored=log[-1].stored.replace(b'"covers": 4', b'"covers": 3'))
    assert faults(log, EXPECTED) == ["T7/D:5 seals 3"]


def test_repeats_are_counted() -> None:
    log = chained(INPUTS)
    assert repeats(log + log[2:4] + log[2:3]) == 3
