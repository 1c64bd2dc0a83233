"""Requirements on a record when every input of some days has been sent, however often the gateway died meanwhile.

Read off the stored bytes with nothing of the project's own: JSON, SHA-256 and a comparison.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

SEAL = "chain-sealed.1"
PROPERTY = "property"


class Entry(NamedTuple):
    """The entry at one place of a log."""

    partition: int
    stored: bytes
    at: float = 0.0  # seconds since 1970 when it came, where the log tells


def expected_of(days: Mapping[str, Sequence[bytes]]) -> dict[str, dict[str, list[str]]]:
    """Stream to source to its keys in order, of every input by the gaming day it belongs to."""
    found: dict[str, dict[str, list[str]]] = {}
    for day, lines in days.items():
        for line in lines:
            said = json.loads(line)
            table = said.get("stream") or said["table"]
            found.setdefault(f"{table}/{day}", {}).setdefault(said["source"], []).append(said["source_key"])
    return found


def faults(log: Iterable[Entry], expected: Mapping[str, Mapping[str, Sequence[str]]]) -> list[str]:
    """Faults of the log, a sentence each; empty if every stream is one chain that holds each input once.

    The same bytes again at the same place are no fault: a gateway that was killed sends them again.
    """
    streams: dict[str, dict[int, bytes]] = defaultdict(dict)
    homes: dict[str, int] = {}
    wrong: list[str] = []
    for partition, stored, _ in log:
        fact = json.loads(stored)
        stream, sequence = fact["stream"], fact["sequence"]
        table = stream.partition("/")[0]
        if homes.setdefault(table, partition) != partition:
            wrong.append(f"{table} is in the partitions {homes[table]} and {partition}")
        held = streams[stream]
        if held.get(sequence, stored) != stored:
            wrong.append(f"{stream}:{sequence} is there twice, with other bytes")
        elif sequence not in held and sequence != (last := max(held, default=0)) + 1:
            wrong.append(f"{stream}:{sequence} comes after {stream}:{last}")
        held.setdefault(sequence, stored)
    wrong += [f"{stream} is not there" for stream in expected if stream not in streams]
    for stream, held in streams.items():
        facts = [(json.loads(held[sequence]), held[sequence]) for sequence in sorted(held)]
        wrong += [*_chain(stream, facts), *_inputs(stream, facts, expected.get(stream, {}))]
    return wrong


def repeats(log: Iterable[Entry]) -> int:
    """Number of records that are in a log more than once."""
    return sum(count - 1 for count in Counter(entry.stored for entry in log).values())


def _chain(stream: str, facts: list[tuple[dict[str, Any], bytes]]) -> Iterable[str]:
    before, last, seals = "", 0, 0
    for fact, stored in facts:
        if fact["sequence"] != last + 1:
            yield f"{stream} lacks {last + 1} to {fact['sequence'] - 1}"
        elif fact.get("previous", "") != before:
            yield f"{stream}:{fact['sequence']} does not name the hash of {last}"
        if fact["type"] == SEAL:
            seals += 1
            if fact["covers"] != last:
                yield f"{stream}:{fact['sequence']} seals {fact['covers']}"
        last, before = fact["sequence"], sha256(stored).hexdigest()
    if facts and facts[-1][0]["type"] != SEAL:
        yield f"{stream} ends unsealed, with {seals} seals"


def _inputs(
    stream: str, facts: list[tuple[dict[str, Any], bytes]], expected: Mapping[str, Sequence[str]]
) -> Iterable[str]:
    held: dict[str, list[str]] = defaultdict(list)
    for fact, _ in facts:
        if fact["type"] != SEAL:
            held[fact["source"]].append(fact["source_key"])
    for source in sorted(expected.keys() | held.keys()):
        there, told = held.get(source, []), list(expected.get(source, ()))
        times = Counter(there)
        yield from (f"{source} {key} is in {stream} {count} times" for key, count in times.items() if count > 1)
        yield from (f"{source} {key} is not in {stream}" for key in told if key not in times)
        yield from (f"{source} {key} is in {stream} and was never told" for key in times if key not in set(told))
        if sorted(there) == sorted(told) and there != told:
            yield f"{stream} holds what {source} said in another order"
