"""Passphrases and passwords come from files: every command works without one in its environment, and none is passed on."""

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.command import main
from consumers.gateway.keys import PASSPHRASE_FILE

EXAMPLES = Path(__file__).parents[2] / "docs/examples"
SECRET = "a-passphrase-nobody-else-knows"  # noqa: S105 - a test's
PASSWORD = "a-password-nobody-else-knows"  # noqa: S105 - a test's
# Every command that opens a key, the vault or an account, in an order in which each has what it needs.
COMMANDS = """
ingest openings.jsonl --data pit
keys make T7 T7-1 --data pit
keys rotate T7 T7-2 --data pit
keys make watcher W-1 --data pit
ingest round.jsonl --data pit
watch --once --quiet --data pit
checkpoint key make catwalk/test --data pit
checkpoint --data pit
checkpoint key rotate --data pit
witness make audit.test --folder audit
vault put people.jsonl --data pit
vault show p-1 --purpose why --data pit
vault copy-keys keys.sqlite --data pit
vault erase p-1 --purpose why --data pit
accounts add mara --role manager --password-file password --data pit
vault list --as mara --password-file password --data pit
accounts password mara --as mara --own-password-file password --password-file password --data pit
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("CATWALK_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(PASSPHRASE_FILE, "")  # put back afterwards: the option sets it
    Path("passphrase").write_text(SECRET)
    Path("password").write_text(PASSWORD)
    Path("people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    for name in ("openings.jsonl", "round.jsonl"):
        shutil.copy(EXAMPLES / name, tmp_path)
    return tmp_path


def test_every_command_takes_its_passphrase_from_a_file_that_an_option_names() -> None:
    for words in COMMANDS.strip().splitlines():
        done = CliRunner().invoke(main, ["--passphrase-file", "passphrase", *words.split()])
        assert done.exit_code in (0, 1), f"{words}: {done.output}"
        assert SECRET not in done.output, words
    os.environ[PASSPHRASE_FILE] = ""
    refused = CliRunner().invoke(main, ["checkpoint", "key", "rotate", "--data", "pit"])
    assert (refused.exit_code, "no passphrase for the keys" in refused.output) == (2, True)
