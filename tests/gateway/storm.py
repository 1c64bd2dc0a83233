"""kill -9 of real gateways at random moments, while several devices talk and sends are under way.

A gateway lives until its moment comes or the day is sent; the next one starts on what it left behind, and every device
says everything again. Gateways listen on a socket or take a file, as chance has it.
"""

import os
import random
import shutil
import socket
import sqlite3
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from tests.gateway.nursery import Forked, Nursery
from tests.gateway.pit import SOURCES, TABLES, PitDay, pit_day
from tests.gateway.proof import Entry, expected_of, faults, repeats

_WHILE_TALKING = 0.8  # so many of the kills are not meant for a gateway that is starting
SECONDS_FOR_A_DAY = 120.0  # a gateway that nobody kills has told a day long before


class Record(Protocol):
    """A record somewhere: how a command names it, where the gateway's own files are, and what it holds."""

    options: tuple[str, ...]
    proving: tuple[str, ...]  # the same for who reads and proves it
    state: Path

    def log(self) -> list[Entry]:
        """Everything the log holds, in its order, read behind the project's back."""

    def standing(self, facts: set[bytes]) -> bool:
        """Whether the log has some of these now; no, where each entry tells when it came."""


class Death(msgspec.Struct):
    """A gateway that was killed: when, what its outbox held, and when the next one was started."""

    at: float
    pending: set[bytes]
    standing: bool
    next_start: float = 0.0


class Score(msgspec.Struct):
    """Counts of what happened, so that fifty kills of idle gateways prove nothing."""

    kills: int = 0
    by_form: Counter[str] = msgspec.field(default_factory=Counter)
    before_listening: int = 0
    in_flight: int = 0  # the outbox held facts the log had not acknowledged
    landed: int = 0  # and the log had some of them all the same
    landed_late: int = 0  # and some came into the log only after the gateway was dead
    gave_up: int = 0  # gateways that ended by themselves, because the log was away
    days: int = 0
    facts: int = 0
    repeated: int = 0

    def __str__(self) -> str:
        forms = ", ".join(f"{count} {form}" for form, count in sorted(self.by_form.items()))
        return (
            f"{self.kills} kills ({forms}; {self.before_listening} before it listened), {self.in_flight} with sends "
            f"unacknowledged, {self.landed} of them on the log already, {self.landed_late} after the gateway's death; "
            f"{self.gave_up} gave up; {self.days} days, {self.facts} facts, {self.repeated} records repeated"
        )


# What happens to a gateway some time after its start: mostly its end.
End = Callable[[Forked], None]


def kill(gateway: Forked) -> None:
    """The plain end."""
    gateway.kill()


class Storm:
    """One record, its gateways, and the lines they received.

    `seconds` is about how long a gateway takes to start and how long to hear a day out. Where the log may be away, a
    gateway may give up by itself, with the exit status that says so.
    """

    LOG_IS_AWAY = 2

    def __init__(
        self,
        nursery: Nursery,
        record: Record,
        chance: random.Random,
        *,
        rounds: int,
        seconds: tuple[float, float],
        may_give_up: bool = False,
    ) -> None:
        self.nursery = nursery
        self.record = record
        self.chance = chance
        self.rounds = rounds
        self.may_give_up = may_give_up
        self.start_seconds, self.talk_seconds = seconds
        self.score = Score()
        self._told = threading.Event()
        self.deaths: list[Death] = []
        self.told: dict[str, Sequence[bytes]] = {}
        self.socket = nursery.folder / "gateway.sock"
        self.file = nursery.folder / "devices.jsonl"
        first = self.nursery.folder / "first.jsonl"
        first.write_bytes(pit_day(0, 1, []).opened[0] + b"\n")
        status, told = nursery.run("ingest", *record.options, first)
        assert status == 0, told
        self.keys = [
            self._made("keys", "make", table, f"{table}-key", "--from", "2026-11-18T00:00:00Z")
            for table in ("property", *TABLES)
        ]
        terms = ("--every-table", "--property", "--may", "play", "--may", "openings", "--user", os.getuid())
        self.keys += [self._made("sources", "register", name, *terms) for name in SOURCES]

    def blow(self, kills: int, ends: Sequence[End] = (kill,), before_each: Callable[[], object] = bool) -> None:
        """Send day after day through gateways that are killed, until that many were; send the last day whole.

        `before_each` is called before each start of a gateway.
        """
        kills += self.score.kills
        while self.score.kills < kills:
            day = pit_day(self.score.days, self.rounds, self.keys)
            self.told[day.name] = day.lines
            self.score.days += 1
            told = False
            while not told:
                before_each()
                told = self._life(day, self.chance.choice(ends) if self.score.kills < kills else None)

    def verdict(self) -> list[str]:
        """Faults of the record, by the checker and by the doctor."""
        log = self.record.log()
        self._count(log)
        wrong = faults(log, expected_of(self.told))
        status, said = self.nursery.run("doctor", *self.record.proving, "--sealed", "--json")
        harmless = [line for line in said.splitlines() if line.startswith('{"kind":"repeat"')]
        if status or len(harmless) != self.score.repeated:
            wrong.append(f"doctor ended with {status}: {said[-2000:]}")
        status, said = self.nursery.run("dead-letters", "list", *self.record.options)
        letters = [line for line in said.splitlines() if self.file.name in line or "socket " in line]
        return wrong + [f"a dead letter: {letter}" for letter in letters]

    def _life(self, day: PitDay, end: End | None) -> bool:
        """Run one gateway from start to end, and return whether the day was sent whole."""
        self._told.clear()
        form = self.chance.choice(("listening", "listening", "reading a file"))
        self.socket.unlink(missing_ok=True)
        if self.deaths:
            self.deaths[-1].next_start = self.deaths[-1].next_start or time.time()
        if form == "listening":
            gateway = self.nursery.start("gateway", *self.record.options, "--socket", self.socket)
        else:
            self.file.write_bytes(b"\n".join(day.lines) + b"\n")
            gateway = self.nursery.start("ingest", *self.record.options, self.file)
        killer = threading.Thread(target=self._end, args=(gateway, end, form, *self._moment()))
        killer.start()
        told = self._talk(day, gateway) if form == "listening" else gateway.wait(SECONDS_FOR_A_DAY) == 0
        self._told.set()
        killer.join()
        if form == "listening" and told:
            gateway.ask_to_end()
        status = gateway.wait()
        if status == -9:
            self._killed(gateway, form)
        elif status == self.LOG_IS_AWAY and self.may_give_up:
            self.score.gave_up += 1
        elif status != 0:
            raise AssertionError(f"a gateway ended by itself with {status}: {gateway.told.read_text()[-2000:]}")
        return told

    def _moment(self) -> tuple[bool, float]:
        """Whether a gateway shall end while it hears the devices, and how long after that began; or while it starts."""
        talking = self.chance.random() < _WHILE_TALKING
        return talking, self.chance.uniform(0, self.talk_seconds if talking else self.start_seconds)

    def _end(self, gateway: Forked, end: End | None, form: str, talking: bool, seconds: float) -> None:
        if talking and form == "listening":
            while not self.socket.exists() and not self._told.wait(0.002):
                pass
        elif talking:
            seconds += self.start_seconds
        if end is not None and not self._told.wait(seconds):
            end(gateway)

    def _killed(self, gateway: Forked, form: str) -> None:
        self.score.kills += 1
        self.score.by_form[form] += 1
        self.score.before_listening += form == "listening" and not self.socket.exists()
        pending = unacknowledged(self.record.state)
        self.deaths.append(Death(gateway.killed_at, pending, self.record.standing(pending)))

    def _count(self, log: list[Entry]) -> None:
        """Count what the log shows of the deaths: sends that had arrived, and sends that arrived afterwards."""
        score = self.score
        came = {entry.stored: entry.at for entry in reversed(log)}
        score.facts, score.repeated = len(came), repeats(log)
        for death in self.deaths:
            until = death.next_start or time.time()
            first = [came[stored] for stored in death.pending if 0 < came.get(stored, 0) < until]
            score.in_flight += bool(death.pending)
            score.landed += death.standing or bool(first)
            score.landed_late += any(at > death.at for at in first)
        self.deaths = []

    def _talk(self, day: PitDay, gateway: Forked) -> bool:
        """The desk opens the tables, all devices talk at once, the desk closes; whether all of it was taken."""
        opened = [line for line in day.opened if line not in self.keys]  # no device tells a registrar's facts
        if not self._listens(gateway) or not said(self.socket, opened):
            return False
        heard: list[bool] = []
        devices = [
            threading.Thread(target=lambda lines=lines: heard.append(said(self.socket, lines)))
            for lines in day.devices.values()
        ]
        for device in devices:
            device.start()
        for device in devices:
            device.join()
        return all(heard) and said(self.socket, day.closed)

    def _listens(self, gateway: Forked) -> bool:
        while not self.socket.exists():
            if gateway.wait(0) is not None:
                return False
            time.sleep(0.002)
        return True

    def _made(self, *words: object) -> bytes:
        status, told = self.nursery.run(*words, *self.record.options)
        assert status == 0, told
        return told.splitlines()[-1].encode()


def said(path: Path, lines: Sequence[bytes]) -> bool:
    """Send these lines over a connection of their own, and return whether all were taken before the gateway died."""
    with socket.socket(socket.AF_UNIX) as device:
        device.settimeout(SECONDS_FOR_A_DAY)
        try:
            device.connect(str(path))
            device.sendall(b"\n".join(lines) + b"\n")
            with device.makefile("rb") as told:
                return any(msgspec.json.decode(line)["taken"] == len(lines) for line in told)
        except (ConnectionError, FileNotFoundError, msgspec.DecodeError):
            return False


def unacknowledged(state: Path) -> set[bytes]:
    """The facts a dead gateway's outbox holds and the log has not acknowledged, read off a copy."""
    file = state / "gateway/outbox.sqlite"
    if not file.exists():
        return set()
    with tempfile.TemporaryDirectory() as scratch:
        for part in file.parent.glob("outbox.sqlite*"):
            shutil.copy(part, scratch)
        outbox = sqlite3.connect(Path(scratch) / file.name)
        try:
            return {stored for (stored,) in outbox.execute("SELECT stored FROM pending")}
        except sqlite3.OperationalError:
            return set()  # killed before it had made its tables
        finally:
            outbox.close()
