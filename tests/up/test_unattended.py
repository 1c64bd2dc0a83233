"""Parts are no people: they start by themselves in a folder that keeps accounts, where nobody is shown anything."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.desk.asker import AS, PASSWORD_FILE
from consumers.desk.opening import open_desk
from consumers.logs.opening import findings_log
from consumers.room.accounts import added
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from projections.reading import opened as reading
from tests.up.test_only import CATWALK

LONG = 120.0
FILE = """
[record]
data = "pit"
passphrase_file = "passphrase"
[simulate]
tables = 2
seed = 11
pace = 60.0
ahead = 30
keys = true
incidents = "all"
[watch]
[project]
[checkpoint]
every = "1s"
begin = "catwalk/unattended"
"""


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Path]:
    """A house with accounts whose parts are running."""
    added(tmp_path / "pit/accounts.toml", "mara", ("manager",), "a long enough one")
    (tmp_path / "passphrase").write_text("a-good-one")
    (tmp_path / "up.toml").write_text(FILE)
    bare = {name: value for name, value in os.environ.items() if name not in (AS, PASSWORD_FILE)}
    with (tmp_path / "said").open("wb") as said:
        up = subprocess.Popen(
            [*CATWALK, "up", str(tmp_path / "up.toml")], stdin=subprocess.DEVNULL, stderr=said, env=bare
        )
        try:
            yield tmp_path / "pit"
        finally:
            up.send_signal(signal.SIGTERM)
            up.wait(LONG)


def follows(pit: Path) -> bool:
    """Whether the watcher has found something, the projector has published it, and a head is signed."""
    if not (pit / "read/current").exists() or not (pit / "trust").exists():
        return False
    with closing(findings_log(data=pit)) as found, reading(pit / "read") as held:
        published = held.query("SELECT count(*) FROM findings")[0][0]
        return found.last_position(0) > 0 and int(str(published)) > 0


def test_watcher_projector_and_keeper_follow_where_accounts_are_kept(pit: Path) -> None:
    end = time.monotonic() + LONG
    while not follows(pit):
        assert time.monotonic() < end, (pit.parent / "said").read_text()
        time.sleep(0.2)
    said = (pit.parent / "said").read_text()
    assert "accounts" not in said
    with closing(open_desk(pit, {})) as desk:
        rows = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    assert not [row for row in rows if isinstance(row, Accessed | AccessRefused)]
    asked = CliRunner().invoke(main, ["ask", "floor", "--data", str(pit)], env={AS: None, PASSWORD_FILE: None})
    assert (asked.exit_code, asked.stdout) == (4, "")
