"""A record read: every fact decoded and once, trouble told, what is no fact set aside."""

from pathlib import Path
from typing import Any

import pytest

from consumers.logs.fact_reader import FactReader
from consumers.logs.log import Batch, place_of
from domain.facts.codec import decode
from tests.bench.chained import chained

DAY = "2026-11-18"
GOOD = [fact.stored for fact in chained(400, DAY) if fact.stream == f"C7/{DAY}"]
OTHER = GOOD[4].replace(b"2500", b"2600")


class Records:
    """A log of one stream, as far as a reading asks it."""

    def __init__(self, stored: list[bytes]) -> None:
        self.stored = stored
        self.asked = 0

    def read_stream(self, stream: str) -> list[bytes]:
        self.asked += 1
        return [each for each in self.stored if stream.encode() in each and each.startswith(b"{")]


def read(stored: list[bytes]) -> tuple[list[int], list[str]]:
    """The sequences read, and what was told: gaps, breaks, and what went aside with its position."""
    told: list[str] = []

    def aside(partition: int, position: int, _: bytes, says: str, reason: str) -> None:
        told.append(f"{reason} {partition}:{position} {says}")

    def heard(trouble: str, partition: int, position: int, fact: Any) -> None:
        told.append(f"{trouble} {partition}:{position} before {fact.sequence}")

    reader = FactReader(Records(stored), aside, heard)  # type: ignore[arg-type]
    found = []
    for start in range(0, len(stored), 3):
        facts = list(enumerate(stored[start : start + 3], start=start + 1))
        found += [fact.sequence for _, fact in reader.take(Batch(2, facts))]
    return found, told


# what the log holds, the sequences read of it, and what is told
ROWS = [
    ("a whole stream", GOOD, list(range(1, 11)), []),
    ("nothing", [], [], []),
    ("begun in the middle", GOOD[4:], list(range(5, 11)), []),
    ("one twice", [*GOOD[:5], GOOD[4], GOOD[2], *GOOD[5:]], list(range(1, 11)), []),
    ("a fork", [*GOOD[:5], OTHER, *GOOD[5:]], list(range(1, 11)), [f"place taken 2:6 another fact stands at C7/{DAY}:5, which came before"]),
    ("a fork, and the first one once more", [*GOOD[:5], OTHER, GOOD[4], *GOOD[5:]], list(range(1, 11)), [f"place taken 2:6 another fact stands at C7/{DAY}:5, which came before"]),
    ("a gap filled late, and twice", [*GOOD[:3], *GOOD[6:8], GOOD[4], GOOD[3], GOOD[4], GOOD[5], *GOOD[8:]], [1, 2, 3, 7, 8, 5, 4, 6, 9, 10], ["gap 2:4 before 7", "late 2:6 before 5", "late 2:7 before 4", "late 2:9 before 6"]),
    ("a gap", [*GOOD[:4], *GOOD[5:]], [1, 2, 3, 4, 6, 7, 8, 9, 10], ["gap 2:5 before 6"]),
    ("a break", [*GOOD[:4], OTHER, *GOOD[5:]], list(range(1, 11)), ["break 2:6 before 6"]),
    ("bytes that are no fact", [*GOOD[:4], b"\x00", *GOOD[4:]], list(range(1, 11)), ["unreadable 2:5 it is not JSON"]),
    ("no bytes", [*GOOD[:4], b"", *GOOD[4:]], list(range(1, 11)), ["unreadable 2:5 it is not JSON"]),
    ("a stream nobody has", [GOOD[0].replace(b"C7/", b"C7:"), *GOOD], list(range(1, 11)), ["unreadable 2:1 "]),
    ("a fact nobody numbered in the middle", [*GOOD[:4], GOOD[1].replace(b'"sequence":2,', b""), *GOOD[4:]], list(range(1, 11)), ["unreadable 2:5 it has no sequence"]),
    ("a fact nobody numbered", [GOOD[1].replace(b'"sequence":2,', b""), *GOOD], list(range(1, 11)), ["unreadable 2:1 it has no sequence"]),
]  # fmt: skip


@pytest.mark.parametrize(("_what", "stored", "sequences", "told"), ROWS, ids=[row[0] for row in ROWS])
def test_what_a_reader_gives_and_tells(_what: str, stored: list[bytes], sequences: list[int], told: list[str]) -> None:
    found, said = read(stored)
    assert found == sequences
    assert len(said) == len(told)
    assert all(one.startswith(expected) for one, expected in zip(said, told, strict=True))


def test_the_log_is_asked_once_for_many_repeats_of_a_stream(tmp_path: Path) -> None:
    log = Records(GOOD * 3)
    reader = FactReader(log, print, print)  # type: ignore[arg-type]
    assert len(reader.take(Batch(0, list(enumerate(log.stored, start=1))))) == len(GOOD)
    assert log.asked == 1


def test_a_stream_that_is_forgotten_is_believed_anew() -> None:
    reader = FactReader(Records(GOOD), print, print)  # type: ignore[arg-type]
    facts = list(enumerate(GOOD, start=1))
    assert len(reader.take(Batch(0, facts))) == len(GOOD)
    reader.forget(f"C7/{DAY}")
    assert len(reader.take(Batch(0, facts))) == len(GOOD)


def test_the_benchmarks_facts_are_chains_as_a_gateway_writes_them() -> None:
    facts = [decode(stored) for stored in GOOD]
    assert [fact.sequence for fact in facts] == list(range(1, 11))
    assert [place_of(stored).stream for stored in GOOD] == [f"C7/{DAY}"] * 10
