"""Real watchers started, killed with SIGKILL, asked to end and frozen at random moments, while facts keep coming.

Up to three watch at once. At the end the findings log must hold what one undisturbed watcher writes, which is worked
out in memory, and nothing else; it is read behind the project's back, with JSON and SHA-256.
"""

import json
import os
import random
import re
import signal
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from hashlib import sha256
from typing import Protocol

import msgspec

from tests.gateway.nursery import Forked, Nursery
from tests.watching.memory import MemoryLog, Watched

MOST = 3  # watchers at once
_PATIENCE = 5.0  # seconds until two of them watch


class Site(Protocol):
    """A record somewhere: how a command names it, how facts come into it, and what its findings log holds."""

    options: tuple[str, ...]

    def append(self, facts: Sequence[bytes]) -> None:
        """Put these bytes into the log of facts as they are."""

    def findings(self) -> list[bytes]:
        """All records of the findings log, partition by partition, in their order."""


class Score(msgspec.Struct):
    """Counts of what happened, so that fifty kills of idle watchers prove nothing."""

    acts: Counter[str] = msgspec.field(default_factory=Counter)
    taken_up: int = 0  # how often a watcher was given partitions
    handed_over: int = 0  # how often a partition came to another watcher than had it
    records: int = 0
    repeated: int = 0
    alone: int = 0  # kills after which nobody watched

    @property
    def hurt(self) -> int:
        """Kills, ends and freezes."""
        return self.acts["kill"] + self.acts["end"] + self.acts["freeze"]


class Storm:
    """Watchers on one record."""

    def __init__(
        self, nursery: Nursery, site: Site, facts: Sequence[bytes], chance: random.Random, acts: dict[str, int]
    ) -> None:
        self.nursery = nursery
        self.site = site
        self.facts = facts
        self.chance = chance
        self.acts = acts  # what is done to watchers, and how often of all
        self.alive: list[Forked] = []
        self.started: list[Forked] = []
        self.score = Score()
        self._frozen: dict[int, float] = {}  # until when, by process

    def blow(self, hurts: int, seconds: tuple[float, float]) -> None:
        """Hurts watchers so often, so many seconds apart, while the facts come; then lets those that live finish."""
        told = 0
        try:
            while self.score.hurt < hurts or told < len(self.facts):
                until = min(len(self.facts), len(self.facts) * (self.score.hurt + 1) // hurts)
                self.site.append(self.facts[told:until])
                told = until
                self._act()
                time.sleep(self.chance.uniform(*seconds))
                self._thaw(time.monotonic())
            self._thaw()
            self._wait_for_all()
        finally:
            self._thaw()
            for watcher in self.alive:
                watcher.ask_to_end()
        for watcher in self.alive:
            assert watcher.wait() == 0, watcher.told.read_text()
        self._count()

    def faults(self) -> list[str]:
        """Faults of the findings log, a sentence each."""
        return faults(self.site.findings(), self.facts)

    def _act(self) -> None:
        if len(self.alive) < 2 or (len(self.alive) < MOST and self.chance.random() < 0.6):
            self.started.append(self.nursery.start("watch", *self.site.options))
            self.alive.append(self.started[-1])
            return
        act = self.chance.choices(list(self.acts), list(self.acts.values()))[0]
        self.score.acts[act] += 1
        watcher = self._victim()
        if act == "freeze":
            os.kill(watcher.pid, signal.SIGSTOP)
            self._frozen[watcher.pid] = time.monotonic() + self.chance.uniform(0.5, 2.5)
            return
        self.alive.remove(watcher)
        self.score.alone += not self.alive
        if act == "kill":
            self._frozen.pop(watcher.pid, None)
            watcher.kill()
        else:
            watcher.ask_to_end()

    def _victim(self) -> Forked:
        """Mostly one of two that watch something, if they come to that soon; now and then any watcher."""
        deadline = time.monotonic() + self.chance.choice((0, *[_PATIENCE] * 5))
        while time.monotonic() < deadline:
            working = [each for each in self.alive if each.pid not in self._frozen and watches(each)]
            if len(working) >= 2:
                return self.chance.choice(working)
            time.sleep(0.02)
            self._thaw(time.monotonic())
        return self.chance.choice(self.alive)

    def _thaw(self, now: float | None = None) -> None:
        """Let those frozen long enough, or all, run again, in the middle of their work."""
        for pid in [pid for pid, until in self._frozen.items() if now is None or until <= now]:
            del self._frozen[pid]
            os.kill(pid, signal.SIGCONT)

    def _wait_for_all(self) -> None:
        """Wait until a living watcher, or one more, comes to the end of the facts."""
        if not self.alive:
            self.alive.append(self.nursery.start("watch", *self.site.options))
        wanted, deadline = len(set(expected(self.facts))), time.monotonic() + 300
        while len(set(self.site.findings())) < wanted and time.monotonic() < deadline:
            time.sleep(0.2)

    def _count(self) -> None:
        self.score.taken_up = sum(len(taken_up(each)) for each in self.started)
        came = [partition for each in self.started for partition in came_to(each)]
        self.score.handed_over = len(came) - len(set(came))  # the first to have one was handed nothing
        found = self.site.findings()
        self.score.records, self.score.repeated = len(set(found)), len(found) - len(set(found))


def watches(watcher: Forked) -> bool:
    """Whether it has said that partitions are its."""
    lines = taken_up(watcher)
    return bool(lines) and not lines[-1].endswith("none")


def taken_up(watcher: Forked) -> list[str]:
    """The watcher's output about its partitions, line by line."""
    said = watcher.told.read_text() if watcher.told.exists() else ""
    return [line for line in said.splitlines() if line.startswith("watching")]


def came_to(watcher: Forked) -> list[str]:
    """The partitions that came to it, one after the other, without those it was set to keep."""
    found: list[str] = []
    had: set[str] = set()
    for line in taken_up(watcher):
        has = set(re.findall(r"\d+", line.partition("partitions")[2]))
        found += sorted(has - had)
        had = has
    return found


def expected(facts: Sequence[bytes]) -> list[bytes]:
    """Records an undisturbed watcher writes about these facts, table by table and across them."""
    return Watched(MemoryLog(facts)).take().across().findings.stored


def faults(found: Sequence[bytes], facts: Sequence[bytes]) -> list[str]:
    """Faults of the records of a findings log; empty if each stream is one chain of just these records."""
    want = _streams(expected(facts))
    streams: dict[str, dict[int, bytes]] = defaultdict(dict)
    wrong: list[str] = []
    for stored in found:
        record = json.loads(stored)
        held = streams[record["stream"]]
        sequence = record["sequence"]
        if held.get(sequence, stored) != stored:
            wrong.append(f"{record['stream']}:{sequence} is there twice, with other bytes")
        elif sequence not in held and sequence != len(held) + 1:
            wrong.append(f"{record['stream']}:{sequence} comes after {len(held)}")
        held.setdefault(sequence, stored)
    for stream, held in streams.items():
        head = ""
        for sequence, stored in held.items():
            if json.loads(stored).get("previous", "") != head:
                wrong.append(f"{stream}:{sequence} does not name the hash of the record before it")
            head = sha256(stored).hexdigest()
    for stream in want.keys() | streams.keys():
        have, wanted = list(streams[stream].values()), want.get(stream, [])
        if have != wanted:
            at = next((n for n, pair in enumerate(zip(have, wanted, strict=False)) if pair[0] != pair[1]), None)
            wrong.append(f"{stream}: {len(have)} records where {len(wanted)} are due, the first difference at {at}")
    return wrong


def _streams(stored: Sequence[bytes]) -> dict[str, list[bytes]]:
    found: dict[str, list[bytes]] = {}
    for each in stored:
        found.setdefault(json.loads(each)["stream"], []).append(each)
    return found
