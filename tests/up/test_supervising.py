"""Parts watched over: started when what they need is there, started again when they fail, ended together."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread

import pytest

from consumers.up.configuration import PartProcess
from consumers.up.sign_in import ConfigurationError
from consumers.up.supervising import supervise

LONG = 90.0  # no machine is so busy


def part(name: str, code: str, **more: object) -> PartProcess:
    """A part that runs this."""
    return PartProcess(name, (sys.executable, "-u", "-c", code), **more)  # type: ignore[arg-type]


class Up:
    """Parts that run in the background of a test."""

    def __init__(self, *parts: PartProcess) -> None:
        self.lines: list[tuple[str, str]] = []
        self.stop = Event()
        self.thread = Thread(target=supervise, args=(parts, self.stop, lambda *line: self.lines.append(line)))
        self.thread.start()

    def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something to happen."""
        end = time.monotonic() + LONG
        while not happened():
            assert time.monotonic() < end, self.lines
            time.sleep(0.02)

    def said(self, name: str) -> list[str]:
        """The output of a part."""
        return [line for who, line in self.lines if who == name]

    def end(self) -> None:
        """Ends all of it."""
        self.stop.set()
        self.thread.join(LONG)
        assert not self.thread.is_alive()


def alive(number: int) -> bool:
    """Whether a process is there and no corpse."""
    try:
        return Path(f"/proc/{number}/stat").read_text().split(") ")[1][0] != "Z"
    except FileNotFoundError:
        return False


STAYS = "import os, time; print(os.getpid()); time.sleep(600)"


def test_what_is_said_carries_the_name_and_all_of_it_ends_together() -> None:
    up = Up(part("one", STAYS), part("two", STAYS))
    up.until(lambda: bool(up.said("one") and up.said("two")))
    numbers = [int(up.said(name)[0]) for name in ("one", "two")]
    assert all(map(alive, numbers))
    up.end()
    assert not any(map(alive, numbers))


def test_a_part_waits_for_what_it_needs(tmp_path: Path) -> None:
    late = part("late", STAYS, needs=tmp_path / "there", waits="waits for that")
    up = Up(late, part("quiet", STAYS, needs=tmp_path / "there"), part("first", STAYS))
    up.until(lambda: bool(up.said("first")))
    time.sleep(0.3)
    assert (up.said("late"), up.said("quiet")) == (["waits for that"], [])
    (tmp_path / "there").touch()
    up.until(lambda: len(up.said("late")) == 2 and bool(up.said("quiet")))
    up.end()


def test_what_fails_is_said_and_started_again() -> None:
    up = Up(part("weak", "import os; print(os.getpid()); raise SystemExit(3)"))
    up.until(lambda: len([line for line in up.said("weak") if line.isdigit()]) >= 2)
    up.end()
    assert "ended with status 3; restarting in 0.5 s" in up.said("weak")


def test_a_part_that_cannot_be_used_from_its_start_ends_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consumers.up.supervising.WAITS", (0.0, 0.0, 0.0))
    lines: list[tuple[str, str]] = []
    stop = Event()

    def say(*line: str) -> None:
        lines.append((line[0], line[1]))
        if len(lines) > 20:
            stop.set()  # it would run forever

    refuses = part("room", "print('no such option'); raise SystemExit(2)")
    with pytest.raises(ConfigurationError, match="room ended 3 times in a row with status 2"):
        supervise([part("gateway", STAYS), refuses], stop, say)
    assert lines.count(("room", "no such option")) == 3
    (gateway,) = [int(line) for name, line in lines if name == "gateway"]
    assert not alive(gateway)


def test_what_ends_with_another_status_or_has_run_before_is_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consumers.up.supervising.WAITS", (0.0, 0.0))
    fails = Up(part("weak", "print('began'); raise SystemExit(3)"))
    fails.until(lambda: fails.said("weak").count("began") >= 4)
    fails.end()
    monkeypatch.setattr("consumers.up.supervising.CALM_SECONDS", 0)
    ran = Up(part("relay", "print('began'); raise SystemExit(2)"))
    ran.until(lambda: ran.said("relay").count("began") >= 4)
    ran.end()


def test_what_comes_to_an_end_by_itself_is_not_started_again() -> None:
    up = Up(part("floor", "print('played')", ends=True), part("other", STAYS))
    up.until(lambda: "finished with status 0" in up.said("floor"))
    time.sleep(0.8)
    up.end()
    assert up.said("floor").count("played") == 1


def test_what_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("consumers.up.supervising.PATIENCE_SECONDS", 0.5)
    up = Up(part("deaf", f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {STAYS}"))
    up.until(lambda: bool(up.said("deaf")))
    number = int(up.said("deaf")[0])
    up.end()
    assert not alive(number)
    assert "did not end in time; killing it" in up.said("deaf")


def test_a_part_finds_its_environment_and_nobody_asks_it_anything() -> None:
    asks = "import os, sys; print(os.environ['X'], repr(sys.stdin.read()))"
    up = Up(part("one", asks, environment={"X": "y"}, ends=True))
    up.until(lambda: bool(up.said("one")))
    up.end()
    assert up.said("one")[0] == "y ''"
    assert "X" not in os.environ
