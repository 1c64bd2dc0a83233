"""Lines of the case format through `catwalk settle`: an answer a line that was read, a sentence a line that was not."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from consumers.command import main
from tests.citations import ROOT
from tests.fuzz.branches import seen
from tests.fuzz.kit import Run, Target, require
from tests.fuzz.mutators import json_lines

_SPECIAL = {"play", "play3", "play5", "bet", "split", "envy"}  # wagers that ride on an action


@cache
def cases() -> list[dict[str, Any]]:
    """Every fortieth of the worked cases."""
    files = sorted((ROOT / "tests/cases").glob("*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()[::40]]


def rounds(_: Path) -> Run:
    """Bytes through the command, in each of its forms."""

    def run(data: bytes) -> None:
        sent = [line for line in data.split(b"\n") if line.strip()]
        for words in ([], ["--table"], ["--check"]):
            done = CliRunner().invoke(main, ["settle", *words, "-"], input=data)
            if done.exception is not None and not isinstance(done.exception, SystemExit):
                raise done.exception
            require(done.exit_code in (0, 1, 2), f"status {done.exit_code}")
            require("Traceback" not in done.stderr, done.stderr)
            if done.exit_code == 2:  # no line was a round
                require(not done.stdout, f"status 2, and an answer: {done.stdout}")
            elif not words:
                _check_answers(sent, done.stdout, done.stderr, done.exit_code)

    return run


def _check_answers(sent: list[bytes], stdout: str, stderr: str, status: int) -> None:
    answers = [json.loads(line) for line in stdout.split("\n") if line]
    refused = [line for line in stderr.splitlines() if line.startswith("catwalk settle: line ")]
    for line in refused:
        seen(line.partition(": ")[2].partition(": ")[2])
    unread = [line for line in refused if line.endswith("is not a field of a round and was ignored")]
    require(len(answers) <= len(sent), "more answers than lines")
    require(len(answers) + len(refused) - len(unread) >= len(sent), "a line came to nothing")
    require((status == 0) == (len(answers) == len(sent)), f"status {status}: {len(answers)} of {len(sent)} answered")
    if len(answers) != len(sent):
        return
    for line, answer in zip(sent, answers, strict=True):
        _check_money(json.loads(line), answer)


def _check_money(case: Any, answer: dict[str, Any]) -> None:
    """Require that every wager handed back was placed, and that no amount is negative."""
    placed = {str(seat["seat"]): set(seat["wagers"]) | _SPECIAL for seat in case["seats"]}
    require(answer["returns"].keys() == placed.keys(), "other seats are answered than were asked about")
    for seat, returns in answer["returns"].items():
        require(returns.keys() <= placed[seat], f"seat {seat} is handed back {returns.keys() - placed[seat]}")
        for wager, cents in returns.items():
            whole = cents is None or (isinstance(cents, int) and not isinstance(cents, bool) and cents >= 0)
            require(whole, f"seat {seat}: {wager} returns {cents!r}")


TARGETS = (Target("rounds", rounds, json_lines(cases, most_lines=4), bytes=8192),)
