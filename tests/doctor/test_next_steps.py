"""Each report of `catwalk doctor` says what to do next, by a command that exists."""

import json
import re
from pathlib import Path
from typing import get_args

import click
import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.doctor.next_steps import NEXT_STEPS
from consumers.doctor.telling import STATUS
from domain.ledger.audit import Kind
from tests.doctor.test_whole import changed

pytestmark = pytest.mark.xdist_group("doctor")

COMMAND = re.compile(r"`catwalk ([^`]+)`")
BROKEN = "UPDATE facts SET state=CAST(replace(state, '\"at\":1', '\"at\":2') AS BLOB) WHERE position=40"


def test_every_kind_of_problem_has_a_next_step() -> None:
    assert NEXT_STEPS.keys() == {*get_args(Kind), *STATUS}


@pytest.mark.parametrize("kind", NEXT_STEPS)
def test_a_next_step_names_a_command_with_its_options(kind: str) -> None:
    named = COMMAND.findall(NEXT_STEPS[kind])
    assert named
    for words in named:
        command: click.Command = main
        context = click.Context(command)
        for word in words.split():
            if isinstance(command, click.Group) and (inner := command.get_command(context, word)) is not None:
                command = inner
            elif word.startswith("--"):
                assert any(word in option.opts for option in command.params), words
            else:
                assert word.isupper(), words
        assert command is not main


def test_a_broken_record_is_told_with_what_to_do(pit: Path) -> None:
    changed(pit, "record/facts.sqlite", BROKEN)
    as_text = CliRunner().invoke(main, ["doctor", "--data", str(pit)])
    steps = [line for line in as_text.stderr.splitlines() if line.startswith("next, for ")]
    assert [step for step in steps if "break" in step and "`catwalk restore BACKUP --data NEW`" in step], steps
    as_json = CliRunner().invoke(main, ["doctor", "--data", str(pit), "--json"])
    told = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert told
    assert {each["next"] for each in told} == {NEXT_STEPS[each["kind"]] for each in told}
    assert "next, for " not in as_json.stderr


def test_a_whole_record_needs_no_step(pit: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--data", str(pit)])
    assert ("next, for " in done.stderr) == bool(done.stdout)
