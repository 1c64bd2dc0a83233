"""Batches by number, and a projector that only takes them, to be killed.

`python -m tests.projections.numbered` makes its imports once and forks a projector for each line it is given.
"""

import os
import random
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import duckdb

from consumers.command import without_pandas
from projections.changes import Changes, Dead
from projections.store import Store
from tests.projections.rows import a_round, row
from tests.projections.segments import close_segment

STREAMS = ("T1/2026-11-17", "T2/2026-11-18", "T3/2026-11-18")


def batch(number: int) -> Changes:
    """The batch of a number, from 1: a round; each fourth remakes an earlier round, each fiftieth a whole day."""
    changes = Changes(positions={"facts/0": number, "findings/0": number})
    stream = STREAMS[number % len(STREAMS)]
    played = (number + len(STREAMS) - 1) // len(STREAMS)
    a_round(changes, stream, played, number)
    if number % 4 == 0 and played > 1:
        remade = 1 + number * 7 % (played - 1)
        changes.dead.append(Dead(stream, remade, number))
        again = Changes()
        a_round(again, stream, remade, number, cents=number)
        del again.rows["handling"]
        changes.take(again)
    if number % 50 == 0:
        changes = Changes(dead=[Dead(stream, None, number)], positions=changes.positions)
        for each in range(1, played + 1):
            a_round(changes, stream, each, number, cents=500)
    changes.replace(stream, "money", [row("money", stream, collected_cents=number)])
    finding = f"{stream} {number % 17}"
    changes.put("findings", (finding,), row("findings", stream, finding=finding, says=str(number)))
    return changes


def project(folder: Path, last: int) -> None:
    """Resume where the store is, up to this batch, with a random projector's act between two batches."""
    chance = random.Random()  # noqa: S311 - what is done when must make no difference
    with Store.open(folder) as store:
        number = store.positions().get("facts/0", 0)
        while number < last:
            match chance.choice(("commit", "commit", "publish", "publish", "segment", "seal", "compact")):
                case "commit":
                    number += 1
                    store.commit(batch(number))
                case "publish":
                    store.publish()
                case "segment":
                    close_segment(store, kept=chance.randint(0, 1))
                case "seal":
                    store.seal(chance.choice(STREAMS))
                case "compact":
                    store.compact()
        store.publish()


def nurse() -> None:
    """Forks a projector for each line `folder last die_at`, and says its number; `wait` waits for the last one."""
    without_pandas()
    import_module("pyarrow.dataset")  # what DuckDB imports when it is first given rows
    pid = 0
    for line in sys.stdin:
        words = line.split()
        if words == ["wait"]:
            answer = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        else:
            answer = pid = os.fork()
            if not pid:
                _projector(Path(words[0]), int(words[1]), int(words[2]))
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _projector(folder: Path, last: int, die_at: int) -> None:
    status = 1
    try:
        if die_at:
            _die_at(die_at)
        project(folder, last)
        status = 0
    finally:
        os._exit(status)


def _die_at(statement: int) -> None:
    """kill -9 of this process itself, before its statement of that number to the working file."""
    connect, left = duckdb.connect, statement

    class Mortal:
        def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
            self._connection = connection

        def execute(self, *words: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return self._connection.execute(*words)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._connection, name)

    def connected(path: str, **named: Any) -> Any:
        connection = connect(path, **named)
        return connection if path == ":memory:" else Mortal(connection)

    duckdb.connect = connected  # type: ignore[assignment]


if __name__ == "__main__":
    nurse()
