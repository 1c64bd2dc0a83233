"""A doubtful feed on *Record health*: a number in red and a row that says why, for a person who may see findings."""

from pathlib import Path

import pytest

from tests.dashboards.conftest import Opening, opening, texts
from tests.feeding.days import WHOLE, day
from tests.feeding.mismapped import MISMAPPED, read, written
from tests.room.conftest import run

__all__ = ["opening"]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A day whose adapter sends dollars for cents, on record, watched and published."""
    folder = tmp_path_factory.mktemp("doubtful")
    wrong = MISMAPPED["wagers in dollars"][0](read(day("COL", WHOLE["COL"][0])))
    (folder / "day.jsonl").write_text(written(wrong))
    data = str(folder / "pit")
    run("ingest", "--data", data, str(folder / "day.jsonl"))
    run("watch", "--data", data, "--once")
    run("project", "--data", data, "--once")
    return folder / "pit"


def test_record_health_counts_doubtful_feeds_in_red_and_says_why(opening: Opening) -> None:
    said = texts(opening("record", "manager"))
    assert '<div class="cw-figure bad"><div>doubtful feeds</div><div class="cw-number">1</div>' in said
    assert "wagers fit the limits only if multiplied by 100" in said


def test_without_the_right_to_findings_it_says_which_table_and_no_more(opening: Opening) -> None:
    said = texts(opening("record", "device-admin"))
    assert "doubtful feeds" in said
    assert "wagers fit the limits" not in said
