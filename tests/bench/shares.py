"""`catwalk verify-log` shared among processes, beside one process in the same run, by the processor time of each.

The largest of all processes counts, the one that compares tables among them: it is what a machine with a core for each
of them would wait for.
"""

import os
import resource
import tempfile
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from statistics import median
from unittest.mock import patch

from consumers.logs import StoredFact
from consumers.watching import replay
from consumers.watching.cores import Share, Tell
from consumers.watching.replay import Replay, StreamFilter, alone, together
from tests.bench.sides import met

TURNS = 3
TWO_GOAL, EIGHT_GOAL = 1.7, 0.8  # times one process; of eight times one process
PROCESSES, TABLES_EACH, FACTS = 8, 10, 480_000


def two_processes(folder: Path) -> None:
    """Two processes over an embedded record, beside one."""
    one, two = _in_turns(folder, 2)
    ratio = one / two
    print(
        f"{'verify-log, two processes':<40} {two:>8.2f} s    {'one process':<21} {one:>5.2f} s   ratio {ratio:.2f}   "
        f"goal of the ratio {TWO_GOAL:.2f} {met(ratio >= TWO_GOAL)}"
    )


def eight_shards(kept: Callable[[Path, Iterator[StoredFact]], None], facts: Iterator[StoredFact]) -> None:
    """Eight processes over a record of eighty tables, beside one."""
    with tempfile.TemporaryDirectory() as name:
        kept(Path(name), islice(facts, FACTS))
        one, eight = _in_turns(Path(name), PROCESSES)
    efficiency = one / eight / PROCESSES
    what = f"verify-log, {PROCESSES} shards of {TABLES_EACH} tables"
    print(
        f"{what:<40} {eight:>8.2f} s    {'one process':<21} {one:>5.2f} s   efficiency {efficiency:.2f}   "
        f"goal {EIGHT_GOAL:.2f} {met(efficiency >= EIGHT_GOAL)}"
    )


def _in_turns(folder: Path, processes: int) -> tuple[float, float]:
    """The median processor time of one process, and of the largest of several, in turns."""
    took: dict[int, list[float]] = {1: [], processes: []}
    for _ in range(TURNS):
        for count, largest in took.items():
            largest.append(max(_run(folder, count)))
    return median(took[1]), median(took[processes])


def _run(folder: Path, processes: int) -> list[float]:
    """Processor time of each process of one run, which has a process of its own and begins at zero."""
    with tempfile.TemporaryDirectory() as name:
        run = os.fork()
        if not run:
            _verified(folder, processes, Path(name))
        _, status = os.waitpid(run, 0)
        if status:
            raise RuntimeError(f"the run ended with {status}")
        return [float(took.read_text()) for took in Path(name).iterdir()]


def _verified(folder: Path, processes: int, notes: Path) -> None:
    """Verifies the record and ends this process; it and each of those it starts leave a note of what they took."""
    status = 1
    try:
        verify = replay._verify

        def noted(*what: Replay | Share | Tell, **how: bool) -> None:
            verify(*what, **how)  # type: ignore[arg-type]
            _note(notes)

        whole = Replay(StreamFilter(), data=folder)
        if processes == 1:
            alone(whole, _trouble, _silent)
        else:
            with patch.object(replay, "_verify", noted):
                together(whole, _trouble, _silent, processes)
        _note(notes)
        status = 0
    finally:
        os._exit(status)


def _note(notes: Path) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    (notes / str(os.getpid())).write_text(str(used.ru_utime + used.ru_stime))


def _trouble(says: str) -> None:
    raise RuntimeError(says)


def _silent(_: int, __: int) -> None:
    pass
