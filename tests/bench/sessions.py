"""Sessions on the live floor page: how long a run of it takes while many look, beside Streamlit's defaults.

A floor is played live, watched and projected meanwhile. A session is a client on the websocket that does what the page
in a browser does: it asks for the page, and then for the fragment as often as the server said. A run's time is what
that client sees: from the moment the run was due to the moment the server says it is finished, with what came in
between read. A run that was due while the one before was still going counts from when it was due, so that a server that
falls behind looks as slow as it is.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from socket import socket
from threading import Event, Thread
from typing import NamedTuple
from urllib.error import URLError
from urllib.request import urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from consumers.up.configuration import PartProcess, parts, read
from consumers.up.supervising import supervise
from tests.citations import ROOT

GOAL_MS = 400
COUNTS = (25, 100)
WARM, SECONDS, TABLES = 10.0, 30.0, 12
_JOIN_SECONDS = 0.05  # between two who come
_START_SECONDS = 120.0
APP = ROOT / "tests/bench/served/floor.py"
_FLOOR = (
    '[record]\ndata = "."\n[watch]\n[project]\n[room]\nport = 1\n'
    f'[simulate]\ntables = {TABLES}\nseed = 7\npace = 1\nahead = 60\nincidents = "all"\nlabels = "labels.jsonl"\n'
)


class Times(NamedTuple):
    """Times that sessions saw, in milliseconds, and the number of runs that were due and never came."""

    runs: list[float]
    missing: int

    def at(self, share: float) -> float:
        """The time that this share of the runs took at most."""
        ordered = sorted(self.runs)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Session:
    """One client."""

    def __init__(self) -> None:
        self.runs: list[tuple[float, float]] = []  # when it was due, how long it took
        self.due: list[float] = []
        self._again: dict[str, float] = {}  # each fragment, and how often it is to be asked for
        self._drawn = False
        self._asked = False

    async def live(self, address: str) -> None:
        """Looks at the floor until it is cancelled."""
        uri = f"{address.replace('http', 'ws')}/_stcore/stream"
        async with connect(uri, subprotocols=[Subprotocol("streamlit")], origin=Origin(address), max_size=None) as line:
            first = BackMsg()
            first.rerun_script.query_string = ""
            await line.send(first.SerializeToString())
            asking = asyncio.create_task(self._ask(line))
            try:
                async for told in line:
                    self._hear(bytes(told) if not isinstance(told, str) else told.encode())
            finally:
                asking.cancel()

    async def _ask(self, line: ClientConnection) -> None:
        while not self._drawn:
            await asyncio.sleep(0.05)
        fragment, every = min(self._again.items(), key=lambda each: each[1])  # the others end a sign-in, hours from now
        due = time.monotonic()
        while True:
            due += every
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            self.due.append(due)
            if not self._asked:
                self._asked = True
                again = BackMsg()
                again.rerun_script.fragment_id = fragment
                again.rerun_script.is_auto_rerun = True
                await line.send(again.SerializeToString())

    def _hear(self, stored: bytes) -> None:
        told = ForwardMsg.FromString(stored)
        kind = told.WhichOneof("type")
        if kind == "delta" and told.delta.new_element.WhichOneof("type") == "exception":
            raise RuntimeError(f"the page failed: {told.delta.new_element.exception.message}")
        if kind == "auto_rerun":
            self._again[told.auto_rerun.fragment_id] = told.auto_rerun.interval
        elif kind == "script_finished" and not self._drawn:
            self._drawn = True
        elif kind == "script_finished" and self._asked:
            now = time.monotonic()
            self.runs += [(due, (now - due) * 1_000) for due in self.due]
            self.due.clear()
            self._asked = False


async def looked_at(address: str, count: int, seconds: float) -> Times:
    """So many sessions for so long, counted once all of them have been let in and have seen a first run."""
    sessions = [Session() for _ in range(count)]
    tasks = []
    for each in sessions:
        tasks.append(asyncio.create_task(each.live(address)))
        await asyncio.sleep(_JOIN_SECONDS)
    end = time.monotonic() + _START_SECONDS
    while not all(each.runs for each in sessions) and not any(task.done() for task in tasks) and time.monotonic() < end:
        await asyncio.sleep(0.1)
    await asyncio.sleep(WARM)
    began = time.monotonic()
    await asyncio.sleep(seconds)
    ended = time.monotonic()
    died = [task.exception() for task in tasks if task.done()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if died:
        raise RuntimeError(f"{len(died)} of {count} sessions ended: {died[0]}")
    if not any(each.runs for each in sessions):
        raise RuntimeError(f"no run of {count} sessions came to its end in {_START_SECONDS:g} s")
    missing = sum(began <= due < ended - 1 for each in sessions for due in each.due)
    return Times([took for each in sessions for due, took in each.runs if began <= due < ended], missing)


@contextmanager
def floor(folder: Path) -> Iterator[PartProcess]:
    """A floor that is played, watched and projected; gives the part that would serve the pages."""
    file = folder / "floor.toml"
    file.write_text(_FLOOR)
    found = {part.name: part for part in parts(read(file), folder)}
    stop, said = Event(), list[str]()
    rest = [part for name, part in found.items() if name != "room"]
    running = Thread(target=supervise, args=(rest, stop, lambda name, line: said.append(f"{name}: {line}")))
    running.start()
    try:
        _until((folder / "read/current").exists, "the floor is not published", said)
        yield found["room"]
    finally:
        stop.set()
        running.join()


@contextmanager
def served(room: PartProcess, folder: Path, flags: Sequence[str]) -> Iterator[str]:
    """The pages with these options; their address."""
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"http://localhost:{port}"
    own = [
        f"--server.port={port}",
        "--server.address=localhost",
        "--server.headless=true",
        "--browser.gatherUsageStats=false",
    ]
    command = [sys.executable, "-m", "streamlit", "run", str(APP), *own, *flags]
    with (folder / "pages.log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **room.environment}, stdout=log, stderr=log)
        try:
            _until(lambda: _answers(address), "the pages do not answer", [(folder / "pages.log").read_text()])
            yield address
        finally:
            process.terminate()
            process.wait(30)


def flags_of(room: PartProcess) -> list[str]:
    """Flags that `catwalk up` adds to Streamlit's defaults, except where the pages are."""
    where = ("--server.port", "--server.address", "--server.headless", "--browser.")
    return [word for word in room.command if word.startswith("--") and not word.startswith(where)]


def sessions(counts: Sequence[int] = COUNTS, seconds: float = SECONDS) -> None:
    """p50 and p95 of a run of the floor page, ours beside Streamlit's defaults."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name, floor(Path(name)) as room:
        told: dict[tuple[int, str], Times] = {}
        for side, flags in (("ours", flags_of(room)), ("defaults", [])):
            for count in counts:
                with served(room, Path(name), flags) as address:
                    told[count, side] = asyncio.run(looked_at(address, count, seconds))
    for count in counts:
        ours, theirs = told[count, "ours"], told[count, "defaults"]
        goal = f"   goal {GOAL_MS} ms: {GOAL_MS / ours.at(0.95):.2f}" if count == max(COUNTS) else ""
        print(
            f"floor page, {count:>3} sessions   {_line('ours', ours)}   {_line('Streamlit by default', theirs)}{goal}"
        )


def _line(side: str, times: Times) -> str:
    missing = f", {times.missing} missing" if times.missing else ""
    return f"{side} p50 {times.at(0.5):,.0f} p95 {times.at(0.95):,.0f} ms of {len(times.runs)} runs{missing}"


def _answers(address: str) -> bool:
    try:
        with urlopen(f"{address}/_stcore/health", timeout=5):  # noqa: S310 - our own address
            return True
    except (URLError, OSError):
        return False


def _until(happened: Callable[[], bool], why_not: str, said: Sequence[str]) -> None:
    end = time.monotonic() + _START_SECONDS
    while not happened():
        if time.monotonic() > end:
            raise RuntimeError(f"{why_not}: {said[-5:]}")
        time.sleep(0.1)


if __name__ == "__main__":
    parser = ArgumentParser(description="Sessions on the live floor page.")
    parser.add_argument("--counts", type=int, nargs="+", default=COUNTS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    chosen = parser.parse_args()
    sessions(chosen.counts, chosen.seconds)
