"""Bytes into `catwalk gateway` over its socket, in pieces, beside a device that behaves: each hears what was taken."""

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import threading
import time
from contextlib import closing
from functools import cache
from pathlib import Path

from click.testing import CliRunner

from consumers.command import main
from tests.fuzz.kit import Choices, Run, Target, require
from tests.fuzz.lines import TOLD, check, said
from tests.fuzz.mutators import json_lines
from tests.gateway import floor
from tests.gateway.admitted import OPENED, begin, table_sources

PIECES = (1, 7, 64, 1024, 65_536)  # bytes a send
PATIENCE = 20.0  # seconds until a device has heard that its last line was taken
_TAKEN = re.compile(rb'\{"taken":\s*(\d+)\}')


@cache
def honest() -> list[bytes]:
    """Lines of the device that behaves, at a table of its own."""
    return floor.lines(floor.day("T9", rounds=1))


def connections(folder: Path) -> Run:
    """The first byte says how large the pieces are; the rest is sent."""
    pit, begun = folder / "pit", folder / "begun"
    begin(begun, *table_sources("T9"), opened=OPENED.replace(b'"office"', b'"the office"'))

    def run(data: bytes) -> None:
        shutil.rmtree(pit, ignore_errors=True)
        shutil.copytree(begun, pit)
        choices = Choices(data)
        size, sent = choices.one_of(PIECES), choices.rest(len(data))
        path = folder / "gateway.sock"
        heard: dict[str, int] = {}
        client = threading.Thread(target=_both, args=(path, sent, size, heard))
        client.start()
        done = CliRunner().invoke(main, ["gateway", "--data", str(pit), "--socket", str(path)])
        client.join()
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        told = TOLD.search(done.stderr)
        require(done.exit_code == 0 and told, f"status {done.exit_code}: {done.stderr[-500:]}")
        lines = _lines(sent)
        require(heard.get("fuzzed") == len(lines), f"{len(lines)} lines were sent and {heard} taken")
        require(heard.get("honest") == len(honest()), f"the device that behaves heard {heard}")
        kept = [line.rstrip(b"\r") for line in lines if line.strip()]
        check(pit, [*kept, *honest()], [int(each) for each in told.groups()] if told else [])
        with closing(sqlite3.connect(pit / "record/facts.sqlite")) as record:
            rows = record.execute(
                "SELECT state FROM facts WHERE originator_id LIKE 'T9/%' ORDER BY position"
            ).fetchall()
        keys = [json.loads(bytes(row[0]))["source_key"] for row in rows]
        missing = {json.loads(line)["source_key"] for line in honest()} - set(keys)
        require(not missing or b"T9" in sent, f"facts of the device that behaves are missing: {missing}")

    return run


def _lines(sent: bytes) -> list[bytes]:
    """The text before each line end, and the rest behind the last."""
    lines = sent.split(b"\n")
    return lines if lines[-1] else lines[:-1]


def _both(path: Path, sent: bytes, size: int, heard: dict[str, int]) -> None:
    """Both devices speak at once; then the gateway is asked to end."""
    try:
        devices = [
            threading.Thread(target=_device, args=(path, name, data, piece, heard))
            for name, data, piece in (("fuzzed", sent, size), ("honest", b"\n".join(honest()) + b"\n", 4096))
        ]
        for device in devices:
            device.start()
        for device in devices:
            device.join()
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def _device(path: Path, name: str, data: bytes, size: int, heard: dict[str, int]) -> None:
    """Send in pieces and listen until all is taken or patience ends."""
    deadline = time.monotonic() + PATIENCE
    expected, text = len(_lines(data)), b""
    heard[name] = 0
    with socket.socket(socket.AF_UNIX) as device:
        while True:
            try:
                device.connect(str(path))
                break
            except OSError:
                if time.monotonic() > deadline:
                    return
                time.sleep(0.005)
        device.settimeout(0.5)
        try:
            for at in range(0, len(data), size):
                device.sendall(data[at : at + size])
            device.shutdown(socket.SHUT_WR)
            while heard[name] < expected and time.monotonic() < deadline:
                try:
                    piece = device.recv(4096)
                except TimeoutError:
                    continue
                text += piece
                heard[name] = max((int(each) for each in _TAKEN.findall(text)), default=0)
                if not piece:
                    return
        except OSError:
            return


TARGETS = (Target("connections", connections, json_lines(said, most_lines=16), bytes=8192, kept=6),)
