"""`catwalk score`: what was found against what was put there, and nothing to score is no clean score."""

from pathlib import Path

import msgspec
from click.testing import CliRunner, Result

from consumers.command import main

LABEL = b'{"incident":"one","own":{"code":"wager-overpaid","stream":"T7/2026-11-18","first_round":3}}\n'
FINDING = b'{"code":"wager-overpaid","stream":"T7/2026-11-18","round":3}\n'


def scored(folder: Path, labels: bytes, findings: bytes, *more: str) -> Result:
    (folder / "labels.jsonl").write_bytes(labels)
    (folder / "findings.jsonl").write_bytes(findings)
    return CliRunner().invoke(main, ["score", str(folder / "labels.jsonl"), str(folder / "findings.jsonl"), *more])


def test_nothing_to_score_is_no_clean_score(tmp_path: Path) -> None:
    """Two empty files, as a command before them that failed leaves them."""
    told = scored(tmp_path, b"", b"\n")
    assert told.exit_code == 2
    assert "has no labels and" in told.stderr
    assert "so nothing was scored. Write labels with catwalk simulate" in told.stderr
    assert not told.stdout


def test_what_was_put_there_and_found_is_clean(tmp_path: Path) -> None:
    told = scored(tmp_path, LABEL, FINDING)
    assert told.exit_code == 0
    assert told.stdout.splitlines()[-1].split() == ["all", "1", "0", "1", "0", "1.0000", "1.0000"]


def test_what_was_missed_and_what_was_not_there_is_named(tmp_path: Path) -> None:
    missed = scored(tmp_path, LABEL, b"")
    assert (missed.exit_code, "missed: one: wager-overpaid" in missed.stdout) == (1, True)
    false = scored(tmp_path, b"", FINDING, "--json")
    assert false.exit_code == 1
    assert [each["code"] for each in msgspec.json.decode(false.stdout)["false"]] == ["wager-overpaid"]


def test_a_line_that_is_no_label_is_named(tmp_path: Path) -> None:
    told = scored(tmp_path, LABEL + b"{}\n", FINDING)
    assert told.exit_code == 2
    assert "labels.jsonl line 2: " in told.stderr
