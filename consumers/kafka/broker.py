"""One broker process of Apache Kafka on this machine: configured, formatted, started and stopped.

For development and tests. clusters.py combines brokers.
"""

import atexit
import base64
import contextlib
import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from consumers.kafka.jars import BrokerUnavailableError, java, libs

START_SECONDS: Final = 90.0
_STOP_SECONDS: Final = 10.0
_JVM: Final = ("-Xmx384m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_LOG4J: Final = """\
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d{ISO8601} %p %m (%c{1})%n
rootLogger.level=WARN
rootLogger.appenderRef.console.ref=console
"""
# Below the ports that the system gives to outgoing connections, so that no connection takes a port after it was found
# free and before the broker uses it.
_FIRST_PORT: Final = 20_000
_PORTS: Final = 10_000


class Broker:
    """One broker, which is also a controller, with its data and its log in `folder`."""

    def __init__(self, folder: Path, node_id: int, properties: Mapping[str, str], ports: Sequence[int]) -> None:
        self.folder = folder
        self.node_id = node_id
        self.ports = tuple(ports)
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        lines = {**properties, "node.id": str(node_id), "log.dirs": str(folder / "data")}
        self._properties = folder / "server.properties"
        self._properties.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
        (folder / "log4j2.properties").write_text(_LOG4J)

    @property
    def log_file(self) -> Path:
        """The path of the broker's own log."""
        return self.folder / "broker.log"

    @property
    def pid(self) -> int | None:
        """The process's id, while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def format(self, cluster_id: str, *options: str) -> None:
        """Begin to format the data folder; `wait_formatted` waits for the end, so that several can run at once."""
        self._run("kafka.tools.StorageTool", "format", *options, "-t", cluster_id, "-c", str(self._properties))

    def wait_formatted(self) -> None:
        """Return when the data folder is formatted."""
        if self._process is not None and self._process.wait(START_SECONDS) != 0:
            raise BrokerUnavailableError(f"formatting broker {self.node_id} failed: {self._last_words()}")

    def start(self) -> None:
        """Start the process; `wait` returns when it answers."""
        self._run("kafka.Kafka", str(self._properties))

    def wait(self) -> None:
        """Return when all its ports are open. This uses a plain socket: a refused Kafka client would back off."""
        deadline = time.monotonic() + START_SECONDS
        for port in self.ports:
            while not _open(port):
                if self.pid is None:
                    raise BrokerUnavailableError(f"broker {self.node_id} ended: {self._last_words()}")
                if time.monotonic() > deadline:
                    raise BrokerUnavailableError(f"broker {self.node_id} does not answer: see {self.log_file}")
                time.sleep(0.05)

    def wait_ended(self) -> int | None:
        """Return the process's status once it has ended by itself."""
        return None if self._process is None else self._process.wait()

    def ask_to_stop(self) -> None:
        """Send SIGTERM: the broker hands over its partitions and ends."""
        if self._process is not None and self.pid is not None:
            self._process.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Send SIGKILL, like a machine that loses power."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            self._process.wait()

    def stop(self, seconds: float = _STOP_SECONDS) -> None:
        """End the process, gently for this many seconds."""
        self.ask_to_stop()
        if self._process is not None:
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self.kill()
        atexit.unregister(self.kill)

    def _run(self, main: str, *arguments: str) -> None:
        """Run one of Kafka's programs in a session of its own that ends with this process, however it ends."""
        log4j = f"-Dlog4j2.configurationFile={self.folder / 'log4j2.properties'}"
        command = [*_dies_with_us(), java(), *_JVM, "-cp", f"{libs()}/*", log4j, main, *arguments]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(  # noqa: S603 - the command has no outside input
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        atexit.register(self.kill)

    def _last_words(self) -> str:
        lines = self.log_file.read_text(errors="replace").splitlines() if self.log_file.exists() else []
        return " / ".join(lines[-3:]) or "it wrote nothing"


def new_cluster_id() -> str:
    """Sixteen random bytes in Kafka's form, the first bit clear: a leading dash would look like an option."""
    random = secrets.token_bytes(16)
    return base64.urlsafe_b64encode(bytes([random[0] & 0x7F]) + random[1:]).decode().rstrip("=")


def free_ports(count: int) -> list[int]:
    """Ports that are free now."""
    found: list[int] = []
    start = os.getpid() * 31
    for step in range(_PORTS):
        port = _FIRST_PORT + (start + step) % _PORTS
        if _free(port):
            found.append(port)
            if len(found) == count:
                return found
    raise BrokerUnavailableError(f"fewer than {count} ports from {_FIRST_PORT} to {_FIRST_PORT + _PORTS} are free.")


def _free(port: int) -> bool:
    with socket.socket() as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _open(port: int) -> bool:
    with socket.socket() as tried:
        tried.settimeout(1)
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _dies_with_us() -> list[str]:
    """A prefix that lets the kernel kill the broker with its parent thread, even after SIGKILL, if util-linux has it.

    So start brokers from the main thread.
    """
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL"] if setpriv else []
