"""A file that is no text, or nested without end, gets a sentence with its place and no traceback."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from tests.gateway.floor import day, lines

NO_TEXT = b'{"says":"\xff","rulebook":"\xff"}\n'
NESTED = b'{"note":' + b"[" * 100_000 + b"\n"
# the command | its status | what it says
COMMANDS = """
settle FILE                 | 1 | line 1
score FILE FILE             | 2 | line 1
witness prove FILE          | 2 | is not a refusal
odds UTH-MD --config FILE   | 2 | is not JSON
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in COMMANDS.strip().splitlines()]


@pytest.mark.parametrize("stored", [NO_TEXT, NESTED], ids=["no text", "nested"])
@pytest.mark.parametrize(("words", "status", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_a_command_refuses_it_in_words(tmp_path: Path, words: str, status: str, says: str, stored: bytes) -> None:
    """The status is that of a bad input."""
    file = tmp_path / "given"
    file.write_bytes(stored)
    done = CliRunner().invoke(main, words.replace("FILE", str(file)).split())
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, says in done.output) == (int(status), True), done.output


def test_an_option_nested_without_end_is_refused_in_words() -> None:
    done = CliRunner().invoke(main, ["odds", "UTH-MD", "--set", f"trips_table={'[' * 100_000}"])
    assert isinstance(done.exception, SystemExit), done.exception
    assert (done.exit_code, "trips_table" in done.output) == (2, True), done.output[:500]


# what of the outbox holds no text | the command | what it says
OUTBOX = """
pending | doctor --data PIT    | cannot be read
days    | doctor --data PIT    | cannot be read
days    | ingest --data PIT    | holds an unreadable day
"""
OUTBOX_ROWS = [[cell.strip() for cell in row.split("|")] for row in OUTBOX.strip().splitlines()]


@pytest.mark.parametrize(("of", "words", "says"), OUTBOX_ROWS, ids=[" ".join(row[:2]) for row in OUTBOX_ROWS])
def test_a_byte_of_the_outbox_that_is_no_text_is_told(tmp_path: Path, of: str, words: str, says: str) -> None:
    """A changed byte there ended the doctor in a traceback, and the gateway too."""
    taken = CliRunner().invoke(main, ["ingest", "--data", str(tmp_path)], input=b"\n".join(lines(day())))
    assert taken.exit_code == 0, taken.output
    with closing(sqlite3.connect(tmp_path / "gateway/outbox.sqlite")) as outbox, outbox:
        if of == "pending":
            outbox.execute("INSERT INTO pending VALUES (1, 'T7/2026-11-18', 31, 'x', ?)", (b'{"previous":"\xff"}',))
        else:
            (held,) = outbox.execute("SELECT day FROM days").fetchone()
            outbox.execute("UPDATE days SET day = ?", (held.replace(b"T7/", b"\xff7/"),))
    done = CliRunner().invoke(main, words.replace("PIT", str(tmp_path)).split(), input=b"{}")
    assert isinstance(done.exception, SystemExit), done.exception
    assert done.exit_code > 1
    assert says in done.output
