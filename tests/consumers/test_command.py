"""The `catwalk` command itself: each of its commands by name, and a name that is none."""

from pathlib import Path

import click
from click.testing import CliRunner

import consumers.commands
from consumers.command import main
from domain.facts.codec import encode
from domain.simulation.scripted import day, round_, seat


def _modules(command: click.Command) -> set[str]:
    """The modules a command and the commands below it come from."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    own = {command.callback.__module__} if command.callback is not None else set()
    return own.union(*map(_modules, inner))


def test_each_module_of_commands_is_reached_by_name() -> None:
    folder = Path(consumers.commands.__path__[0])
    there = {f"consumers.commands.{path.stem}" for path in folder.glob("*.py") if path.stem != "__init__"}
    assert there <= _modules(main)


def test_a_name_that_is_no_command_is_told_with_the_nearest_one() -> None:
    ran = CliRunner().invoke(main, ["dead-leters"])
    assert (ran.exit_code, "Did you mean 'dead-letters'?" in ran.output) == (2, True)


def test_a_read_command_runs_however_catwalk_was_started(tmp_path: Path) -> None:
    """The log of accesses names the command without the program, which may be several words."""
    with (tmp_path / "day.jsonl").open("wb") as file:
        file.writelines(encode(fact) + b"\n" for fact in day("COL", rounds=[round_(seat(1))]))
    assert (
        CliRunner().invoke(main, ["ingest", "--data", str(tmp_path / "pit"), str(tmp_path / "day.jsonl")]).exit_code
        == 0
    )
    asked = ["reconstruct", "T7", "--round", "1", "--data", str(tmp_path / "pit")]
    names = ("catwalk", "python -m consumers.command")
    one, other = (CliRunner().invoke(main, asked, prog_name=name) for name in names)
    assert one.exit_code == other.exit_code == 0, other.output
    assert one.output == other.output
