"""`make hostile`: four hostile clients at once, the honest client's median answer beside them, and the gateway's memory.

`python -m tests.bench.hostile FOLDER` measures the code that lies in another folder in the same way.
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

import msgspec

from consumers.gateway.keys import PASSPHRASE
from tests.gateway import hostile
from tests.gateway.admitted import ALL, ME, OPENED, table_sources
from tests.gateway.floor import day, lines

ROUNDS = 3  # each of them quiet and under attack, so that other work on the machine meets both
LINES = 150  # of the honest client in each
PAUSE = (0.005, 0.025)  # seconds between two of them
SECONDS = 20.0  # for an honest client's lines under attack; what is not answered by then is not
MOST = 2_000  # megabytes, at which an attack is ended: the machine is to survive
_QUIET: dict[str, int] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
_WARM = 1.0  # seconds an attack has before the honest client is measured
SETS = {
    "texts without an end, megabytes, junk, facts": (
        "texts without an end",
        "lines of a megabyte",
        "junk as fast as it goes",
        "facts as fast as they go",
    ),
    "megabytes, junk, facts, empty lines": (
        "lines of a megabyte",
        "junk as fast as it goes",
        "facts as fast as they go",
        "empty lines",
    ),
    "events that swell, nesting, numbers, one key": (
        "events that swell",
        "deep nesting",
        "numbers without measure",
        "one key for everything",
    ),
    "four of megabytes": ("lines of a megabyte",) * 4,
}
_RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from consumers.command import main; main(prog_name='catwalk')"


class Heard(NamedTuple):
    """Answers to the honest client: its times in milliseconds, and the number of lines without one."""

    took: list[float]
    unanswered: int


def hostile_clients(code: Path) -> None:
    """Prints the medians, their ratio and the memory, for each four attackers."""
    print("four hostile clients               quiet   under attack   ratio   unanswered   memory, quiet   at most")
    for name, attacks in SETS.items():
        quiet, attacked, calm, peak = Heard([], 0), Heard([], 0), 0, 0
        for number in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder, _gateway(code, Path(folder)) as (pid, path):
                facts = iter(lines(day("T7", rounds=LINES // 4, close=False)))
                honest = _Honest(path, facts, number)
                quiet = _both(quiet, honest.talk(LINES))
                calm = max(calm, _peak(pid))
                with _attacked(path, attacks, pid):
                    attacked = _both(attacked, honest.talk(LINES))
                peak = max(peak, _peak(pid))
                if attacked.unanswered:
                    break
        print(_row(name, quiet, attacked, calm, peak), flush=True)


def _row(name: str, quiet: Heard, attacked: Heard, calm: int, peak: int) -> str:
    before, after = median(quiet.took), median(attacked.took) if attacked.took else float("nan")
    most = f"{peak:,} MB" if peak < MOST else f"over {MOST:,} MB, ended there"
    return (
        f"{name:<46} {before:6.2f} ms {after:9.2f} ms  {after / before:6.2f}"
        f"   {attacked.unanswered:>4} of {len(attacked.took) + attacked.unanswered}   {calm:>5} MB   {most}"
    )


def _both(one: Heard, other: Heard) -> Heard:
    return Heard(one.took + other.took, one.unanswered + other.unanswered)


class _Honest:
    """A device that sends a line, waits for its answer, and sends the next a moment later."""

    def __init__(self, path: Path, facts: Iterator[bytes], seed: int) -> None:
        self.socket = hostile.connected(str(path))
        self.heard = self.socket.makefile("rb")
        self.facts = facts
        self.sent = 0
        self.chance = Random(seed)  # noqa: S311 - pauses

    def talk(self, count: int) -> Heard:
        """Send so many lines, one after the other, as long as there is time."""
        took: list[float] = []
        until = time.monotonic() + SECONDS
        for _ in range(count):
            time.sleep(self.chance.uniform(*PAUSE))
            began = time.perf_counter()
            if not self._answered(until - time.monotonic()):
                return Heard(took, count - len(took))
            took.append((time.perf_counter() - began) * 1000)
        return Heard(took, 0)

    def _answered(self, seconds: float) -> bool:
        if seconds <= 0:
            return False
        self.socket.settimeout(seconds)
        try:
            self.socket.sendall(next(self.facts) + b"\n")
            self.sent += 1
            while msgspec.json.decode(self.heard.readline())["taken"] < self.sent:
                pass
        except (OSError, msgspec.DecodeError):
            return False
        return True


@contextmanager
def _gateway(code: Path, folder: Path) -> Iterator[tuple[int, Path]]:
    """A gateway of that code, with a key for the honest client's table."""
    environment = {**os.environ, PASSPHRASE: "a passphrase for measuring"}
    catwalk = [sys.executable, "-P", "-c", _RUN, str(code)]
    data = ["--data", str(folder / "pit")]
    opened = folder / "opened"
    opened.write_bytes(OPENED + b"\n")
    key = ["keys", "make", "T7", "T7-1", "--from", "2000-01-01T00:00:00Z"]
    for made in (["ingest", str(opened)], key):
        subprocess.run([*catwalk, *made, *data], check=True, env=environment, stdout=subprocess.DEVNULL)
    for name in (
        "hostile",
        *table_sources("T7"),
    ):  # a client that is registered gets further; old code knows no sources
        subprocess.run(
            [*catwalk, "sources", "register", name, *ALL, *ME, *data], check=False, env=environment, **_QUIET
        )
    path = folder / "sock"
    process = subprocess.Popen(
        [*catwalk, "gateway", *data, "--socket", str(path)], env=environment, stderr=subprocess.DEVNULL
    )
    try:
        while not path.exists():
            if process.poll() is not None:
                raise RuntimeError("the gateway did not start")
            time.sleep(0.02)
        yield process.pid, path
    finally:
        process.kill()
        process.wait()


@contextmanager
def _attacked(path: Path, attacks: Sequence[str], pid: int) -> Iterator[None]:
    """Attackers, a process each; they are killed when the gateway grows beyond what the machine bears."""
    command = [sys.executable, hostile.__file__, str(path)]
    attackers = [subprocess.Popen([*command, name]) for name in attacks]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            if _peak(pid) >= MOST:
                for each in attackers:
                    each.kill()
                return

    watching = threading.Thread(target=watch)
    watching.start()
    time.sleep(_WARM)
    try:
        yield
    finally:
        over.set()
        watching.join()
        for each in attackers:
            each.kill()
            each.wait()


def _peak(pid: int) -> int:
    """The most memory the gateway has had so far, in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // 1000
    raise RuntimeError(f"process {pid} has ended")


if __name__ == "__main__":
    hostile_clients(Path(sys.argv[1] if sys.argv[1:] else ".").absolute())
