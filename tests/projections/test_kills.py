"""kill -9 of the projector at random moments: rows and positions agree, nothing is lost, nothing is doubled."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from projections.digests import TableSource, digests
from projections.reading import opened
from projections.schema import SCHEMA
from projections.store import Store
from tests.projections.numbered import batch
from tests.projections.rows import Plain

ROOT = Path(__file__).parents[2]
KILLS = int(
    os.environ.get("KILLS", "20")
)  # `make kills` asks for 100; tests/projecting/test_kills.py kills the whole projector
LOOKED_AT = ("rounds", "wagers", "handling", "money", "findings")


class Nursery:
    """Start projectors, one at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.projections.numbered"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            text=True,
        )

    def start(self, last: int, die_at: int = 0) -> int:
        return self._ask(f"{self.folder} {last} {die_at}")

    def wait(self) -> int:
        return self._ask("wait")

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def _ask(self, question: str) -> int:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


class Expected:
    """The expected result of the batches up to one, computed from the previous request."""

    def __init__(self) -> None:
        self._plain = Plain()
        self._number = 0

    def up_to(self, number: int) -> Plain:
        assert number >= self._number, "an older state than before"
        while self._number < number:
            self._number += 1
            self._plain.take(batch(self._number))
        return self._plain


def held(plain: Plain, table: str) -> list[tuple[Any, ...]]:
    """The rows of a table, short."""
    if SCHEMA[table].kind == "round":
        rows = plain.rows.get(table, [])
    elif SCHEMA[table].kind == "day":
        rows = [each for tables in plain.day.values() for each in tables.get(table, [])]
    else:
        rows = list(plain.own.get(table, {}).values())
    places = [SCHEMA[table].names.index(name) for name in wanted(table)]
    return sorted(tuple(each[place] for place in places) for each in rows)


def wanted(table: str) -> list[str]:
    names = (*SCHEMA[table].key, "edition", "back_cents", "collected_cents", "says")
    return [
        name
        for name in dict.fromkeys(names)
        if name in SCHEMA[table].names and (table, name) != ("findings", "edition")
    ]


def agrees(source: TableSource, positions: dict[str, int], expected: Expected) -> None:
    """Rows and positions are of one moment."""
    number = positions.get("facts/0", 0)
    assert positions.get("findings/0", 0) == number
    plain = expected.up_to(number)
    for table in LOOKED_AT:
        columns = ", ".join(f'"{name}"' for name in wanted(table))
        found = source.query(f"SELECT {columns} FROM {source.source(table)} ORDER BY ALL")
        assert found == held(plain, table), (number, table)


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    here = Nursery(tmp_path / "read")
    yield here
    here.close()


def test_kills_again_and_again_lose_nothing_and_double_nothing(nursery: Nursery, tmp_path: Path) -> None:
    chance = random.Random(20_261_118)  # noqa: S311 - repeatable moments
    stored, read = Expected(), Expected()
    for kill in range(KILLS):
        if kill % 2:
            pid = nursery.start(10_000)
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(pid, signal.SIGKILL)
        else:  # between two statements, so that each of them is met however busy the machine is
            nursery.start(10_000, die_at=chance.randint(1, 200))
        assert nursery.wait() == -signal.SIGKILL
        if not (nursery.folder / "current").exists():
            continue  # nothing was published yet
        with opened(nursery.folder) as reading:
            agrees(reading, reading.positions, read)
        with Store.open(nursery.folder) as store:
            agrees(store, store.positions(), stored)
            reached = store.positions().get("facts/0", 0)  # nothing, if what was published was empty
    assert reached > KILLS // 10
    nursery.start(reached + 5)
    assert nursery.wait() == 0
    with Store.open(tmp_path / "whole") as whole, opened(nursery.folder) as reading:
        whole.commit(stored.up_to(reached + 5).whole())
        assert digests(reading) == digests(whole)
