"""Start the `catwalk` command without half a second of imports: one process that has made them forks it.

What it forks is a process like any other, with a number of its own to send a SIGKILL to. A process that has ended is
buried only when the next one starts, so that its number cannot belong to another process when the signal comes. A run
of tests has one such process.
"""

import atexit
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
_LOOK_SECONDS = 0.003


class Forked:
    """One `catwalk` that was started; it may be killed until the next one is."""

    def __init__(self, nursery: "Nursery", pid: int, told: Path) -> None:
        self.pid = pid
        self.told = told
        self.status: int | None = None
        self.killed_at = 0.0
        self._nursery = nursery

    def kill(self) -> None:
        """kill -9."""
        os.kill(self.pid, signal.SIGKILL)
        self.killed_at = time.time()

    def ask_to_end(self) -> None:
        os.kill(self.pid, signal.SIGTERM)

    def wait(self, seconds: float = 180) -> int | None:
        """Exit status, below zero if a signal ended it; None while it runs."""
        if self.status is None:
            self.status = self._nursery.ask({"wait": self.pid, "seconds": seconds})
        return self.status


@cache
def _forking() -> "subprocess.Popen[bytes]":
    """The process that forks, until its user ends it."""
    process = subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    atexit.register(_ended, process)
    return process


def _ended(process: "subprocess.Popen[bytes]") -> None:
    process.communicate(timeout=60)


class Nursery:
    """The processes forked for one test, in its folder and environment; it ends with the `with`."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.environment = {**os.environ, **environment}
        self._started: list[int] = []

    def __enter__(self) -> "Nursery":
        return self

    def __exit__(self, *_: object) -> None:
        self.ask({"end": self._started})

    def start(self, *words: object, die_at: int = 0, since: str = "") -> Forked:
        """Start `catwalk` with these words, in the folder; its output goes into a file there.

        With `die_at` it kills itself before its statement of that number to a database, counted from the first that
        begins with `since`.
        """
        told = self.folder / f"told-{len(self._started) + 1}.txt"
        asked = {"words": [str(word) for word in words], "told": str(told), "dies": [die_at, since]}
        pid = self.ask(asked | {"folder": str(self.folder), "environment": self.environment})
        self._started.append(pid)
        return Forked(self, pid, told)

    def run(self, *words: object) -> tuple[int, str]:
        """Run `catwalk` to its end and return its exit status and its output, on both channels."""
        ran = self.start(*words)
        status = ran.wait()
        assert status is not None, f"{words} does not end"
        return status, ran.told.read_text()

    def ask(self, question: dict[str, Any]) -> Any:
        process = _forking()
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(question).encode() + b"\n")
        process.stdin.flush()
        return json.loads(process.stdout.readline())


def _fork(words: list[str], told: str, dies: tuple[int, str], folder: str, environment: dict[str, str]) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = 1
    try:
        channel = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        for number, here in ((0, os.open(os.devnull, os.O_RDONLY)), (1, channel), (2, channel)):
            os.dup2(here, number)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        if dies[0]:
            _die_at(*dies)
        status = _catwalk(words)
    finally:
        os._exit(status)


def _die_at(statement: int, since: str) -> None:
    """kill -9 of this process itself, before its statement of that number."""
    left = statement
    begun = False
    connect = sqlite3.connect

    def count(told: str) -> None:
        nonlocal left, begun
        begun = begun or told.startswith(since)
        left -= begun
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def counted(*words: Any, **named: Any) -> sqlite3.Connection:
        connection = connect(*words, **named)
        connection.set_trace_callback(count)
        return connection

    sqlite3.connect = counted  # type: ignore[assignment]


def _catwalk(words: list[str]) -> int:
    import traceback

    from consumers.command import main

    try:
        main(words, prog_name="catwalk")
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def _wait(pid: int, seconds: float) -> int | None:
    deadline = time.monotonic() + seconds
    while True:
        ended = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is not None:
            return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
        if time.monotonic() > deadline:
            return None
        time.sleep(_LOOK_SECONDS)


def _bury(forked: set[int]) -> set[int]:
    """Reap the processes that have ended, and return the others."""
    return {pid for pid in forked if os.waitpid(pid, os.WNOHANG)[0] == 0}


def _end(forked: set[int]) -> None:
    for pid in _bury(forked):
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def nurse() -> None:
    """Forks and waits as it is asked to, until nobody can ask any more."""
    from consumers.command import main, without_pandas

    without_pandas()
    list(main.commands.values())  # imported once, for all that are forked
    import_module("pyarrow.dataset")  # what DuckDB imports when it is first given rows
    forked: set[int] = set()
    answer: int | None
    for question in map(json.loads, sys.stdin):
        if "words" in question:
            forked = _bury(forked)
            answer = _fork(**question)
            forked.add(answer)
        elif "end" in question:
            _end(forked.intersection(question["end"]))
            forked.difference_update(question["end"])
            answer = None
        else:
            answer = _wait(question["wait"], question["seconds"])
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    _end(forked)


if __name__ == "__main__":
    nurse()
