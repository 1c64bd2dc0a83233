"""Many attacks on the gateway's socket at once: its memory, its end, and what it told before it was killed."""

import json
import signal
import time
from contextlib import suppress
from pathlib import Path

from tests.gateway import hostile
from tests.gateway.floor import day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery
from tests.gateway.socket_clients import (
    ANSWER_SECONDS,
    DAY,
    END_SECONDS,
    MORE_MEGABYTES,
    Client,
    Start,
    attacked,
    honest,
    letters,
    memory,
    start,
)
from tests.gateway.test_commands import assert_whole, streams

__all__ = ["nursery", "start"]


def test_lines_begun_by_many_are_held_in_a_bounded_memory(start: Start, nursery: Nursery, tmp_path: Path) -> None:
    """Thirty-eight half lines of a megabyte: who has begun the longest is cut off, and what it sent is kept."""
    gateway = start()
    rest = memory(gateway, "VmRSS")
    with Client(tmp_path) as device:
        device.talks(honest()[:1])
        many = [Client(tmp_path) for _ in range(38)]
        for number, each in enumerate(many):
            with suppress(ConnectionError):
                each.sends(b"%d" % number + b"x" * hostile.MEGABYTE)
        device.talks(honest()[1:])
        assert memory(gateway, "VmHWM") - rest < MORE_MEGABYTES
        cut = 0
        for each in many:
            each.socket.settimeout(0.01)
            with suppress(TimeoutError):
                cut += "unfinished lines took 33,554,432 bytes together" in each.hears_out()
            each.__exit__()
    assert 5 <= cut <= 8
    until = time.monotonic() + ANSWER_SECONDS
    while len(letters(nursery, tmp_path)) < 38:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_under_all_attacks_the_memory_stays_and_sigterm_is_obeyed(start: Start, tmp_path: Path) -> None:
    gateway = start()
    rest = memory(gateway, "VmRSS")
    with Client(tmp_path) as device:
        device.talks(honest()[:1])
        with attacked(tmp_path):
            device.talks(honest()[1:])
            assert memory(gateway, "VmHWM") - rest < MORE_MEGABYTES
            began = time.monotonic()
            gateway.ask_to_end()
            assert gateway.wait(END_SECONDS) == 0
            assert time.monotonic() - began < END_SECONDS
    assert_whole(tmp_path / "pit", DAY)


def test_under_all_attacks_what_was_told_is_there_once_after_a_kill(start: Start, tmp_path: Path) -> None:
    gateway = start()
    told, said = 30, lines(day(rounds=6))
    with attacked(tmp_path):
        device = _let_in(tmp_path)
        device.talks(said[:told])
        device.sends(b"\n".join(said[told : told + 10]) + b"\n")
        gateway.kill()
        assert gateway.wait(END_SECONDS) == -signal.SIGKILL
        device.__exit__()
        start()
        there = [json.loads(one)["source_key"] for one in streams(tmp_path / "pit")["T7/2026-11-18"]]
        assert {json.loads(one)["source_key"] for one in said[:told]} <= set(there)
        device = _let_in(tmp_path)
        device.talks(said)
        device.__exit__()
    assert_whole(tmp_path / "pit", {"T7/2026-11-18": said})


def _let_in(folder: Path) -> Client:
    """A connection beside those who take all of them: it tries until it is let in."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with suppress(OSError):
            client = Client(folder)
            client.sends(b"\n")
            client.hears()
            if not client.closed and client.taken:
                client.taken = 0
                return client
        time.sleep(0.002)
    raise AssertionError("nobody is let in")
