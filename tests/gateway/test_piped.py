"""Lines that come through a pipe, slowly or all at once, and what ingest makes of them."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import cast

import pytest

from consumers.gateway import piped
from consumers.gateway.keys import PASSPHRASE
from consumers.gateway.reading_lines import LONGEST
from tests.gateway.admitted import OPENED
from tests.gateway.floor import day, lines
from tests.gateway.test_commands import CATWALK, streams

# what is read, and the lines it holds
FILES = [
    ("lines", b"a\nb\n", [(1, b"a"), (2, b"b")]),
    ("a last line without an end", b"a\nb", [(1, b"a"), (2, b"b")]),
    ("line ends of another system", b"a\r\nb\r\n", [(1, b"a"), (2, b"b")]),
    ("empty lines, which have numbers too", b"\n \na\n\n", [(3, b"a")]),
    ("nothing", b"", []),
]


@pytest.mark.parametrize(("_what", "held", "expected"), FILES, ids=[row[0] for row in FILES])
def test_a_file_is_read_as_its_lines(
    tmp_path: Path, _what: str, held: bytes, expected: list[tuple[int, bytes]]
) -> None:
    (tmp_path / "file").write_bytes(held)
    with (tmp_path / "file").open("rb") as file:
        assert [(one.place, one.stored) for batch in piped.batches(file, "x", 2) for one in batch] == expected
    memory = cast(BufferedReader, BytesIO(held))
    assert [(one.place, one.stored) for batch in piped.batches(memory, "x", 2) for one in batch] == expected


def test_a_line_without_end_is_cut_and_has_one_number() -> None:
    endless = cast(BufferedReader, BytesIO(b"x" * (9 * LONGEST) + b"\nend\n"))
    found = [one for batch in piped.batches(endless, "x", 10) for one in batch]
    assert [one.place for one in found] == [1] * 9 + [2]
    assert sum(len(one.stored) for one in found) == 9 * LONGEST + 3
    assert [bool(one.cut) for one in found] == [True] * 9 + [False]


@pytest.fixture
def ingest(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment = os.environ | {PASSPHRASE: "a passphrase for tests"}
    (tmp_path / "opened").write_bytes(OPENED + b"\n")
    made = ("keys", "make", "T7", "T7-1", "--from", "2000-01-01T00:00:00Z")
    for words in (("ingest", str(tmp_path / "opened")), made):
        subprocess.run(
            [CATWALK, *words, "--data", str(tmp_path)], check=True, env=environment, stdout=subprocess.DEVNULL
        )
    process = subprocess.Popen(
        [CATWALK, "ingest", "--data", str(tmp_path)], stdin=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    )
    yield process
    process.kill()
    process.wait()
    for end in (process.stdin, process.stderr):
        with suppress(BrokenPipeError):
            if end is not None:
                end.close()


def test_what_a_device_said_is_on_record_and_sealed_while_it_says_no_more(
    ingest: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    """The pipe stays open: nobody waits for a batch to be full, nor with the seal for the next line."""
    said = lines(day(close=False))[:4]
    assert ingest.stdin is not None
    ingest.stdin.write(b"\n".join(said) + b"\n")
    ingest.stdin.flush()
    until = time.monotonic() + 90
    while len(held := on_record(tmp_path)) < 5:
        assert ingest.poll() is None
        assert time.monotonic() < until, held
        time.sleep(0.05)
    assert b'"type":"chain-sealed.1"' in held[-1]
    ingest.stdin.close()
    assert ingest.wait(90) == 0
    assert len(on_record(tmp_path)) == 5, "it was sealed once"


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_ingest_that_is_asked_to_end_takes_what_has_come_and_says_so(
    ingest: subprocess.Popen[bytes], tmp_path: Path, number: signal.Signals, status: int
) -> None:
    assert ingest.stdin is not None
    ingest.stdin.write(b"\n".join(lines(day(close=False))[:4]) + b"\n")
    ingest.stdin.flush()
    until = time.monotonic() + 90
    while len(on_record(tmp_path)) < 4:
        assert time.monotonic() < until
        time.sleep(0.02)
    ingest.send_signal(number)
    _, told = ingest.communicate(timeout=90)
    assert ingest.returncode == status
    assert told.decode().splitlines() == [
        "4 lines: 4 recorded, 0 known already, 0 dead letters; 1 seals",
        "Ended early. The lines taken are on record; send the whole input again.",
    ]
    assert b'"type":"chain-sealed.1"' in on_record(tmp_path)[-1]


def test_lines_with_nothing_in_them_keep_no_fact_from_its_seal(ingest: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """A device may send them all the time, to stay connected."""
    assert ingest.stdin is not None
    ingest.stdin.write(b"\n".join(lines(day(close=False))[:4]) + b"\n")
    until = time.monotonic() + 90
    while len(on_record(tmp_path)) < 5:
        assert time.monotonic() < until
        ingest.stdin.write(b"\n")
        ingest.stdin.flush()
        time.sleep(0.1)


def on_record(folder: Path) -> list[bytes]:
    if not (folder / "record/facts.sqlite").exists():
        return []
    try:
        return streams(folder).get("T7/2026-11-18", [])
    except sqlite3.OperationalError:  # the file is there and its table not yet
        return []
