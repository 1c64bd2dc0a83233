"""Record health after `catwalk doctor` ran: the command itself writes down what the page shows."""

import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.doctor.telling import STATUS
from tests.dashboards.conftest import Opening, texts

pytestmark = pytest.mark.xdist_group("record")


def proved(folder: Path) -> int:
    """The doctor's exit status."""
    bare = {"CATWALK_STATE": None, "CATWALK_DATA": None}
    return CliRunner().invoke(main, ["doctor", "--patience", "9999999", "--data", str(folder)], env=bare).exit_code


def test_the_page_shows_the_last_run_of_the_doctor(opening: Opening, record: Path, tmp_path: Path) -> None:
    """The desk of the pages is in the folder of their state, and the record is copied to it."""

    def page() -> str:
        return re.sub(r"(<[^>]*>|\s)+", " ", texts(opening("record", "auditor")))

    assert "No run is on record" in page()
    for name in ("facts.sqlite", "findings.sqlite"):
        shutil.copy(record / "record" / name, tmp_path / "record" / name)
    shutil.copytree(record / "gateway", tmp_path / "gateway")
    assert proved(tmp_path) == 0
    whole = page()
    assert "result whole" in whole
    assert re.search(r"catwalk doctor ran \d+ s ago", whole)
    assert re.search(r"records read [\d,]{4,}", whole)
    with closing(sqlite3.connect(tmp_path / "record/facts.sqlite")) as db, db:
        db.execute("DELETE FROM facts WHERE position=(SELECT max(position) FROM facts)")
    status = proved(tmp_path)
    assert status == STATUS["tail-cut"]
    assert f"result NOT WHOLE, status {status}" in page()
