"""Devices that behave badly towards a gateway that listens, and the others, which must not notice."""

import json
import random
import socket
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.gateway.admitted import begin, table_sources
from tests.gateway.floor import day, lines
from tests.gateway.kills import nursery
from tests.gateway.nursery import Forked, Nursery

__all__ = ["nursery"]


@pytest.fixture
def gateway(nursery: Nursery, tmp_path: Path) -> Iterator[Forked]:
    """A gateway that listens, and ends when it is asked to, without a word of complaint."""
    begin(tmp_path / "pit", *table_sources("T7", "T8", "T9"))
    started = nursery.start("gateway", "--data", tmp_path / "pit", "--socket", tmp_path / "sock")
    while not (tmp_path / "sock").exists():
        assert started.wait(0) is None, started.told.read_text()
        time.sleep(0.01)
    yield started
    started.ask_to_end()
    assert started.wait(60) == 0
    assert "Traceback" not in started.told.read_text()


@pytest.fixture
def device(gateway: Forked, tmp_path: Path) -> Iterator[socket.socket]:
    with connected(tmp_path) as one:
        yield one


def connected(folder: Path) -> socket.socket:
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(60)
    one.connect(str(folder / "sock"))
    return one


def slowly(one: socket.socket, inputs: list[bytes]) -> None:
    """So slowly that the gateway has a word to say about nearly each line."""
    for line in inputs:
        one.sendall(line + b"\n")
        time.sleep(0.001)


def hears(one: socket.socket, count: int) -> None:
    """Listens until that many lines are taken; every line heard on the way is whole and says more."""
    before = 0
    with one.makefile("rb") as told:
        while before < count:
            taken = json.loads(told.readline())["taken"]
            assert before < taken <= count
            before = taken


def test_a_device_that_does_not_listen_stops_nobody_and_hears_all_of_it_later(
    device: socket.socket, tmp_path: Path
) -> None:
    inputs = lines(day(rounds=150))
    slowly(device, inputs)
    with connected(tmp_path) as other:
        other.sendall(b"\n".join(lines(day("T8"))) + b"\n")
        hears(other, len(lines(day("T8"))))
    hears(device, len(inputs))


def test_a_gateway_ends_when_asked_although_a_device_does_not_listen(gateway: Forked, device: socket.socket) -> None:
    slowly(device, lines(day(rounds=150)))
    gateway.ask_to_end()
    assert gateway.wait(60) == 0


def test_a_device_that_hangs_up_unheard_is_nobodys_trouble(gateway: Forked, tmp_path: Path) -> None:
    inputs = lines(day())
    with connected(tmp_path) as one:
        one.sendall(b"\n".join(inputs) + b"\n" + inputs[0][:40])
        time.sleep(0.3)
    with connected(tmp_path) as other:
        other.sendall(b"\n".join(inputs) + b"\n")
        hears(other, len(inputs))


def test_empty_lines_are_counted_and_nothing_is_kept_of_them(
    device: socket.socket, nursery: Nursery, tmp_path: Path
) -> None:
    """`catwalk ingest` skips them too; a device that sends them to stay connected need not change its count."""
    inputs = lines(day())
    device.sendall(b"\n \r\n" + b"\n\n".join(inputs) + b"\njunk\n")
    hears(device, 2 * len(inputs) + 2)
    _, said = nursery.run("dead-letters", "list", "--data", tmp_path / "pit")
    assert said.count(".1:") == 1
    assert f".1:{2 * len(inputs) + 2}  unreadable" in said


def test_a_line_without_end_is_kept_in_pieces_and_counts_once(
    device: socket.socket, nursery: Nursery, tmp_path: Path
) -> None:
    inputs = lines(day())
    endless = random.Random(9).randbytes(4_500_000).hex().encode()  # noqa: S311 - any nine million bytes
    device.sendall(endless + b"\n" + b"\n".join(inputs) + b"\n")
    hears(device, 1 + len(inputs))
    _, said = nursery.run("dead-letters", "list", "--data", tmp_path / "pit")
    assert said.count(".1:1  unreadable: it is a piece of a line longer than 1,000,000 bytes") == 9
    assert said.count("socket ") == 9


# what is at the socket's path, and the message
IN_THE_WAY = [
    ("a file", lambda path: path.write_text("kept"), "exists and is not a socket"),
    ("a folder", lambda path: path.mkdir(), "exists and is not a socket"),
    ("a file beside it", lambda path: Path(f"{path}~").write_text("kept"), "sock~ exists and is not a socket"),
    ("no folder to be in", lambda path: path.parent.rmdir(), "No such file or directory"),
]


@pytest.mark.parametrize(("_what", "put", "says"), IN_THE_WAY, ids=[row[0] for row in IN_THE_WAY])
def test_what_stands_where_the_socket_is_to_be_is_left_alone(
    nursery: Nursery, tmp_path: Path, _what: str, put: Callable[[Path], object], says: str
) -> None:
    path = tmp_path / "run" / "sock"
    path.parent.mkdir()
    put(path)
    before = sorted((tmp_path / "run").glob("*"))
    status, told = nursery.run("gateway", "--new", "--data", tmp_path / "pit", "--socket", path)
    assert status == 2
    assert says in told
    assert "Traceback" not in told
    assert "listening" not in told
    assert sorted((tmp_path / "run").glob("*")) == before
    assert all(one.read_text() == "kept" for one in before if one.is_file())


def test_the_socket_of_a_gateway_at_work_is_not_taken_from_it(
    nursery: Nursery, device: socket.socket, tmp_path: Path
) -> None:
    status, told = nursery.run("gateway", "--new", "--data", tmp_path / "other", "--socket", tmp_path / "sock")
    assert status == 2
    assert "another gateway listens on" in told
    inputs = lines(day())
    with connected(tmp_path) as one:
        one.sendall(b"\n".join(inputs) + b"\n")
        hears(one, len(inputs))


def test_the_socket_a_killed_gateway_left_is_taken(nursery: Nursery, tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(tmp_path / "sock"))
    begin(tmp_path / "pit", *table_sources("T7", "T8", "T9"))
    started = nursery.start("gateway", "--data", tmp_path / "pit", "--socket", tmp_path / "sock")
    until = time.monotonic() + 60
    while not started.told.exists() or "listening" not in started.told.read_text():
        assert time.monotonic() < until
        time.sleep(0.01)
    with connected(tmp_path):
        pass
    started.ask_to_end()
    assert started.wait(60) == 0
