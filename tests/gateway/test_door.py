"""`catwalk ingest` and `dead-letters retry` beside a gateway at work: as on its own files, through its socket."""

import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.door import DOOR, DoorClosedError, visited
from consumers.gateway.letter_records import Letter
from tests.gateway.admitted import OPENED, admit, begin, run, table_sources
from tests.gateway.floor import START, day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Forked, Nursery
from tests.gateway.socket_clients import Client, letters
from tests.gateway.test_commands import CATWALK, assert_whole, streams

__all__ = ["nursery"]

T7 = "T7/2026-11-18"
SAID = lines(day())
AT_WORK = "A gateway is running on this record: the lines go through it.\n"
KEY = {"type": "key-registered.1", "at": START, "source": "keys", "source_key": "k", "stream": "property"}
KEY |= {"key": "mine", "public_key": "00" * 32, "table": "T7"}
Start = Callable[..., Forked]


@pytest.fixture
def start(nursery: Nursery, tmp_path: Path) -> Iterator[Start]:
    """Start a gateway on `pit`, and end each in the end."""
    started: list[Forked] = []

    def one(*options: object) -> Forked:
        (tmp_path / "sock").unlink(missing_ok=True)
        (tmp_path / "pit" / DOOR).unlink(missing_ok=True)
        started.append(nursery.start("gateway", "--data", tmp_path / "pit", "--socket", tmp_path / "sock", *options))
        until = time.monotonic() + 60
        while not (tmp_path / "pit" / DOOR).exists():
            assert started[-1].wait(0) is None, started[-1].told.read_text()
            assert time.monotonic() < until
            time.sleep(0.01)
        return started[-1]

    yield one
    for gateway in started:
        if gateway.wait(0) is None:
            gateway.ask_to_end()
            assert gateway.wait(60) == 0
        assert "Traceback" not in gateway.told.read_text()


def listed(pit: Path) -> list[dict[str, object]]:
    """The dead letters, without the time they were put aside at."""
    found = [json.loads(line) for line in run("dead-letters", "list", "--json", "--data", pit).stdout.splitlines()]
    return [{name: value for name, value in one.items() if name != "at"} for one in found]


def test_a_file_goes_through_the_gateway_at_work_as_into_its_own_files(start: Start, tmp_path: Path) -> None:
    """The same facts, repeats, letters with their file and line, summary and status, in either process."""
    long = b"x" * 1_000_001 + b"\r" + b"y" * 1_000_500
    said = [b"", b" ", SAID[0], b"", b"junk", *SAID[1:9], long, b"\xff", *SAID[3:20], b"\r", *SAID[20:-1]]
    file = tmp_path / "devices.jsonl"
    file.write_bytes(b"\n".join([*said, json.dumps(KEY).encode(), SAID[-1]]))
    for pit in ("direct", "pit"):
        begin(tmp_path / pit, *table_sources("T7"))
    start()
    direct, through = (run("ingest", "--data", tmp_path / pit, file) for pit in ("direct", "pit"))
    assert through.stderr == AT_WORK + direct.stderr
    assert re.match(r"\d+ lines: 32 recorded, 6 known already, 6 dead letters; 0 seals\n", direct.stderr)
    assert direct.exit_code == through.exit_code == 1
    assert listed(tmp_path / "pit") == listed(tmp_path / "direct")
    assert [one["reason"] for one in listed(tmp_path / "pit")][-1] == "registrars-own"
    assert_whole(tmp_path / "pit", {T7: SAID})
    again = run("ingest", "--data", tmp_path / "pit", "-", given=SAID[0])
    assert (again.exit_code, again.stderr) == (
        0, AT_WORK + "1 line: 0 recorded, 1 known already, 0 dead letters; 0 seals\n",
    )  # fmt: skip


def test_the_first_opening_needs_no_stop(start: Start, tmp_path: Path) -> None:
    """A gateway on an empty record, and the first day typed beside it; its devices are heard at once."""
    start("--new")
    assert run("ingest", "--data", tmp_path / "pit", "-", given=OPENED + b"\n").exit_code == 0
    admit(tmp_path / "pit", *table_sources("T7"))
    with Client(tmp_path) as device:
        device.talks(SAID)
    assert_whole(tmp_path / "pit", {T7: SAID})


def test_a_long_input_is_handed_over_a_little_at_a_time(start: Start, tmp_path: Path) -> None:
    """A line from a pipe is on record before the pipe ends, and Ctrl-C keeps the lines that were taken."""
    begin(tmp_path / "pit", *table_sources("T7"))
    start()
    words = [CATWALK, "ingest", "--data", str(tmp_path / "pit"), "-"]
    feed = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert feed.stdin
    assert feed.stderr
    feed.stdin.write(b"\n".join(SAID[:7]).decode() + "\n" + SAID[7][:20].decode())
    feed.stdin.flush()
    until = time.monotonic() + 60
    while len(streams(tmp_path / "pit").get(T7, [])) < 7:
        assert time.monotonic() < until
        time.sleep(0.02)
    feed.send_signal(signal.SIGINT)
    said = feed.stderr.read()
    assert feed.wait(60) == 130, said
    assert "7 lines: 7 recorded" in said
    assert "send the whole input again" in said
    assert listed(tmp_path / "pit") == []


def test_a_gateway_that_is_killed_meanwhile_ends_the_command_and_all_may_be_sent_again(
    start: Start, tmp_path: Path
) -> None:
    begin(tmp_path / "pit", *table_sources("T7"))
    gateway = start()
    said = lines(day(rounds=600))
    file = tmp_path / "many.jsonl"
    file.write_bytes(b"\n".join(said) + b"\n")
    words = [CATWALK, "ingest", "--data", str(tmp_path / "pit"), str(file)]
    ingest = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while len(streams(tmp_path / "pit").get(T7, [])) < 500:
        assert time.monotonic() < until
        time.sleep(0.01)
    gateway.kill()
    _, told = ingest.communicate(timeout=60)
    assert ingest.returncode == 2, told
    assert "does not answer" in told
    assert gateway.wait() == -9
    assert len(streams(tmp_path / "pit")[T7]) < len(said)
    start()
    assert run("ingest", "--data", tmp_path / "pit", file).exit_code == 0
    assert_whole(tmp_path / "pit", {T7: said})


def test_a_command_waits_for_a_gateway_that_has_only_begun_to_work(start: Start, tmp_path: Path) -> None:
    """The gateway holds the record before it listens; the word a killed gateway left behind leads nowhere."""
    begin(tmp_path / "pit")
    first = start()
    left = (tmp_path / "pit" / DOOR).read_bytes()
    first.kill()
    first.wait()
    stopped = start()
    os.kill(stopped.pid, signal.SIGSTOP)
    held = (tmp_path / "pit" / DOOR).read_bytes()
    (tmp_path / "pit" / DOOR).write_bytes(left)

    def listens() -> None:
        time.sleep(2)
        (tmp_path / "pit" / DOOR).write_bytes(held)
        os.kill(stopped.pid, signal.SIGCONT)

    late = threading.Thread(target=listens)
    late.start()
    ran = run("ingest", "--data", tmp_path / "pit", "-", given=b"junk\n")
    late.join()
    assert (ran.exit_code, ran.stderr.startswith(AT_WORK)) == (1, True), ran.stderr


def test_letters_are_tried_again_through_the_gateway_at_work(start: Start, nursery: Nursery, tmp_path: Path) -> None:
    """Accepted letters are marked, the others have their newest reason, and a stranger's needs a word."""
    pit = tmp_path / "pit"
    begin(pit, *table_sources("T7"))
    start()
    assert run("ingest", "--data", pit, "-", given=b"\n".join([*SAID[1:80], b"junk", *SAID[:1]])).exit_code == 1
    held = DeadLetters(pit / "gateway/dead-letters.sqlite")
    opened = json.dumps(json.loads(SAID[0]) | {"source": "T8-pit", "table": "T8", "source_key": "8"}).encode()
    held.put([Letter("socket 3", 1, "source-unproved", "as the gateway kept it", opened, START)])
    held.close()
    before = len(listed(pit))
    assert before == 33
    ran = run("dead-letters", "retry", "all", "--data", pit)
    assert (ran.exit_code, ran.stderr.splitlines()) == (1, [
        "31 of 33 letters are on record now",
        "1 refused again, unreadable: it is not JSON: JSON is malformed: invalid character (byte 0)",
        "1 refused again, source-unknown: the source 'T8-pit' is not registered: run catwalk sources register",
    ])  # fmt: skip
    assert len(streams(pit)[T7]) == 32
    assert [one["reason"] for one in listed(pit)] == ["unreadable", "source-unknown"]
    admit(pit, "T8-pit")
    (number,) = [str(one["number"]) for one in listed(pit) if one["reason"] == "source-unknown"]
    assert run("dead-letters", "retry", number, "--data", pit).exit_code == 1
    assert [one["reason"] for one in listed(pit)] == ["unreadable", "source-unproved"]
    assert run("dead-letters", "retry", number, "--vouch", "--data", pit).exit_code == 0
    assert len(listed(pit)) == 1
    assert len(letters(nursery, tmp_path)) == 1


def test_a_visitor_with_the_word_of_the_door_has_no_more_rights_than_it_asked_for(start: Start, tmp_path: Path) -> None:
    """Numbers that belong to no letter are refused and not kept; a visitor without the word is unknown."""
    begin(tmp_path / "pit")
    start()
    door = json.loads((tmp_path / "pit" / DOOR).read_bytes())
    with Client(tmp_path) as visitor:
        visitor.talks([json.dumps({"secret": door["token"], "role": "retry"}).encode(), b"7", b"x", b"9" * 30, KEYS])
    with Client(tmp_path) as stranger:
        stranger.talks([json.dumps({"secret": "x", "role": "registrar"}).encode(), KEYS])
    assert [one["reason"] for one in listed(tmp_path / "pit")] == ["secret-wrong", "registrars-own"]
    assert len(streams(tmp_path / "pit")["property/2026-11-18"]) == 3, "its opening and two refusals"


KEYS = json.dumps(KEY).encode()


def test_a_gateway_with_no_connection_left_says_so(start: Start, tmp_path: Path) -> None:
    begin(tmp_path / "pit")
    start("--clients", 1)
    full, door = "it disconnected: the limit of 1 clients is reached", tmp_path / "pit" / DOOR
    with ExitStack() as others:
        for _ in range(5):  # commands, of which none makes room for another
            others.enter_context(visited(door, "console"))
        with pytest.raises(DoorClosedError, match=full), visited(door, "console"):
            pass


def test_a_command_gets_in_beside_clients_that_hold_every_connection(start: Start, tmp_path: Path) -> None:
    begin(tmp_path / "pit", *table_sources("T7"))
    start("--clients", 3)
    with ExitStack() as others:
        for _ in range(3):
            others.enter_context(Client(tmp_path)).talks([b""])
        ran = run("ingest", "--data", tmp_path / "pit", "-", given=SAID[0])
    assert (ran.exit_code, len(streams(tmp_path / "pit")[T7])) == (0, 1), ran.output


def test_another_process_at_work_is_waited_for_and_then_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that another command writes, which has no door."""
    begin(tmp_path / "pit")
    monkeypatch.setattr("consumers.record_place._PATIENCE", 0.5)
    read, write = os.pipe()
    words = [CATWALK, "ingest", "--data", str(tmp_path / "pit"), "-"]
    with subprocess.Popen(words, stdin=read, stderr=subprocess.DEVNULL) as other:
        os.write(write, b"junk\n")
        until = time.monotonic() + 60
        while not listed(tmp_path / "pit"):
            assert time.monotonic() < until
        ran = run("ingest", "--data", tmp_path / "pit", "-", given=b"more\n")
        os.close(write)
        os.close(read)
        assert other.wait(60) == 1
    assert ran.exit_code == 2
    assert "another process writes this record and accepts no facts from others" in ran.stderr
