"""A command finds the record in one way, and says plainly when it cannot."""

from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from consumers.logs import open_log, record_options
from tests.logs.contract import T7
from tests.logs.numbered import run


@click.command()
@record_options
def count(data: Path | None, kafka: Path | None) -> None:
    """Counts a record's facts."""
    log = open_log(data=data, kafka=kafka)
    click.echo(sum(len(batch.facts) for batch in log.drain({})))
    log.close()


@pytest.fixture
def record(tmp_path: Path) -> str:
    log = open_log(data=tmp_path / "data", create=True)
    log.append(run(T7, 1, 7))
    log.close()
    return str(tmp_path / "data")


def test_a_record_is_found_by_option_or_environment(record: str) -> None:
    assert CliRunner().invoke(count, ["--data", record]).output == "7\n"
    assert CliRunner().invoke(count, [], env={"CATWALK_DATA": record}).output == "7\n"
    assert Path(record, "record/facts.sqlite").is_file()


# options | what is said
REFUSED = [
    ([], "the record's place is missing: give --data DIR"),
    (["--data", "{tmp}/nowhere"], "there is no record in {tmp}/nowhere"),
    (["--data", "{tmp}", "--kafka", "{tmp}/kafka.toml"], "give --data or --kafka, not both"),
    (["--data", "{tmp}/file"], "is a file"),
    (["--kafka", "{tmp}/nowhere.toml"], "{tmp}/nowhere.toml"),
]


@pytest.mark.parametrize(("options", "says"), REFUSED)
def test_anything_else_is_refused_with_what_to_do(options: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ran = CliRunner().invoke(count, [option.format(tmp=tmp_path) for option in options])
    assert ran.exit_code == 2
    assert says.format(tmp=tmp_path) in ran.output
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_both_places_in_the_environment_are_one_too_many(record: str) -> None:
    ran = CliRunner().invoke(count, ["--data", record], env={"CATWALK_KAFKA": "kafka.toml"})
    assert ran.exit_code == 2
    assert "CATWALK_KAFKA count" in ran.output
