"""Start processes, supervise them, and end them together.

A part that ends is restarted, after growing waits. A part that repeatedly ends right after its start, with the status
for an unusable configuration, ends all parts: a person has to correct it.
"""

import os
import signal
import subprocess
from collections.abc import Callable, Iterable
from threading import Event, Thread
from time import monotonic

from consumers.private import OTHERS
from consumers.up.configuration import PartProcess
from consumers.up.sign_in import ConfigurationError

WAITS = (0.5, 1, 2, 5, 10, 30)  # seconds before each restart of a part; the last one repeats
CALM_SECONDS = 60  # after running this long, a part's failures count from zero
PATIENCE_SECONDS = 15  # the longest time a part may take to end
_POLL = 0.1
_UNUSABLE = 2  # a command's status for unusable options
_RIGHT_AWAY_SECONDS = 10

Say = Callable[[str, str], None]  # the part's name, a line


class _RunningPart:
    """One part and its process."""

    def __init__(self, part: PartProcess, say: Say) -> None:
        self.part = part
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._failures = 0
        self._unusable = 0  # times in a row; a database that starts slowly comes up meanwhile
        self._proved = False  # it has run for a while, so its settings are usable
        self._began = 0.0
        self._next = 0.0
        self._waits = part.waits
        self.over = False

    def look(self) -> None:
        """Start the process if due, and check whether it has ended."""
        if self.over:
            return
        if self._process is None:
            if self.part.needs is not None and not self.part.needs.exists():
                self._say_that_it_waits()
            elif monotonic() >= self._next:
                self._start()
            return
        status = self._process.poll()
        if status is not None:
            self._process = None
            self._ended(status)

    def _say_that_it_waits(self) -> None:
        if self._waits:
            self._say(self.part.name, self._waits)
            self._waits = ""

    def _start(self) -> None:
        self._began = monotonic()
        if self.part.prepare is not None:
            self.part.prepare()
        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            self.part.command,
            env={**os.environ, **self.part.environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            umask=OTHERS,
            start_new_session=True,  # Ctrl-C reaches only this process, which ends the parts in order
        )
        Thread(target=self._tell, args=(self._process,), daemon=True).start()

    def _tell(self, process: "subprocess.Popen[bytes]") -> None:
        if process.stdout is not None:
            for line in process.stdout:
                if text := line.decode(errors="replace").rstrip():
                    self._say(self.part.name, text)

    def _ended(self, status: int) -> None:
        if self.part.ends:
            self.over = True
            self._say(self.part.name, f"finished with status {status}")
            return
        ran = monotonic() - self._began
        if ran > CALM_SECONDS:
            self._failures, self._proved = 0, True
        at_once = status == _UNUSABLE and ran < _RIGHT_AWAY_SECONDS and not self._proved
        self._unusable = self._unusable + 1 if at_once else 0
        if self._unusable == len(WAITS):
            says = f"{self.part.name} ended {self._unusable} times in a row with status {status}, right after its start"
            raise ConfigurationError(f"{says}. Correct the problem reported above, then start again")
        wait = WAITS[min(self._failures, len(WAITS) - 1)]
        self._failures += 1
        self._next = monotonic() + wait
        self._say(self.part.name, f"ended with status {status}; restarting in {wait:g} s")

    def ask_to_end(self) -> None:
        """Ask the process to end."""
        self.over = True
        if self._process is not None and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)

    def wait(self, until: float) -> None:
        """Wait for its end, and kill it if it does not end in time."""
        if self._process is None:
            return
        try:
            self._process.wait(max(0.1, until - monotonic()))
        except subprocess.TimeoutExpired:
            self._say(self.part.name, "did not end in time; killing it")
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()


def supervise(parts: Iterable[PartProcess], stop: Event, say: Say) -> None:
    """Keep these parts running until `stop` is set; then end them, the last started first.

    Raises an error if a part cannot be used, after all have ended.
    """
    runs = [_RunningPart(part, say) for part in parts]
    try:
        while not stop.is_set():
            for run in runs:
                run.look()
            stop.wait(_POLL)
    finally:
        for run in reversed(runs):
            run.ask_to_end()
        until = monotonic() + PATIENCE_SECONDS
        for run in reversed(runs):
            run.wait(until)
