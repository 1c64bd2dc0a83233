"""Dead letters whose sender nobody can prove: what it takes to have them on record."""

import json
from pathlib import Path

from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.letter_records import Letter
from consumers.logs.log import StoredFact
from consumers.logs.sqlite import SqliteLog
from tests.gateway.admitted import begin, register, run
from tests.gateway.floor import START
from tests.gateway.test_commands import streams
from tests.gateway.test_sources import SAID, STRANGER, T7


def test_what_somebody_wrote_into_the_log_is_not_the_console_s_word(tmp_path: Path) -> None:
    """A letter that claims to come from a file is refused too; a line of a file that was given here is accepted."""
    begin(tmp_path)
    register(tmp_path, "T7-pit", "--table", "T7", "--may", "openings", *STRANGER)
    log = SqliteLog(tmp_path / "record/facts.sqlite")
    log.append([StoredFact("junk", 99, "table-opened.1", json.dumps(SAID[0]).encode())])
    log.close()
    assert run("watch", "--once", "--data", tmp_path).exit_code in (0, 1)
    letters_of = DeadLetters(tmp_path / "gateway/dead-letters.sqlite")
    letters_of.adopt([Letter("openings.jsonl", 1, "day not open", "x", json.dumps(SAID[0]).encode(), START)])
    letters_of.close()
    ran = run("dead-letters", "retry", "all", "--data", tmp_path)
    assert (ran.exit_code, "0 of 2 letters are on record now" in ran.stderr, "--vouch" in ran.stderr) == (1, True, True)
    assert T7 not in streams(tmp_path)
    other = {**SAID[0], "table": "T8", "source": "T8-pit", "source_key": "8"}
    assert run("ingest", "--data", tmp_path, "-", given=json.dumps(other).encode()).exit_code == 1
    register(tmp_path, "T8-pit", "--table", "T8", "--may", "openings", *STRANGER)
    assert "1 of 3 letters are on record now" in run("dead-letters", "retry", "all", "--data", tmp_path).stderr
    assert len(streams(tmp_path)["T8/2026-11-18"]) == 1
    assert run("dead-letters", "retry", "all", "--vouch", "--data", tmp_path).exit_code == 0
    assert len(streams(tmp_path)[T7]) == 1
