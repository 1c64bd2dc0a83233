"""A record is begun only at the requested place: a misspelled folder is named, and nothing is made in it."""

from pathlib import Path

import pytest

from consumers.gateway.keys import PASSPHRASE
from tests.gateway.admitted import OPENED, run
from tests.gateway.kills import nursery
from tests.gateway.nursery import Nursery

__all__ = ["nursery"]

# what is run on a folder that is not there
COMMANDS = """
gateway --socket sock
watch --once
project --once
rebuild
doctor
verify-log
ask floor
checkpoint
checkpoint --every 5m
checkpoint --begin catwalk/pit
checkpoint show
checkpoint key make catwalk/pit
checkpoint key rotate
keys make T7 T7-1
keys rotate T7 T7-2
keys revoke T7-1 --reason lost
keys list
sources register r7 --table T7 --may play --user 0
sources revoke r7 --reason stolen
sources list
dead-letters list
dead-letters retry all
backup --out out.tar
signer --socket signer.sock
relay
"""


@pytest.mark.parametrize("words", COMMANDS.strip().splitlines())
def test_a_misspelt_folder_is_named_and_nothing_is_made_in_it(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    ran = run(*words.split(), "--data", "typo")
    assert isinstance(ran.exception, SystemExit), ran.exception
    assert ran.exit_code in (1, 2), ran.output
    assert list(tmp_path.iterdir()) == []


def test_a_gateway_without_a_record_says_what_to_do(tmp_path: Path) -> None:
    ran = run("gateway", "--data", tmp_path / "typo", "--socket", tmp_path / "sock")
    assert ran.exit_code == 2
    assert f"there is no record in {tmp_path}/typo: no file {tmp_path}/typo/record/facts.sqlite" in ran.stderr
    assert "catwalk ingest and the property's opening, or with catwalk gateway --new" in ran.stderr


def test_a_gateway_without_its_outbox_of_a_record_in_kafka_says_what_to_do(tmp_path: Path) -> None:
    """Before it asks the cluster for anything: another folder's gateway may have written that record."""
    place = ("--kafka", tmp_path / "kafka.toml", "--state", tmp_path / "typo")
    ran = run("gateway", *place, "--socket", tmp_path / "sock")
    assert ran.exit_code == 2
    assert f"no gateway wrote from {tmp_path}/typo before: no file {tmp_path}/typo/gateway/outbox.sqlite" in ran.stderr
    assert list(tmp_path.iterdir()) == []


def test_who_begins_a_record_is_told_so_once(tmp_path: Path) -> None:
    says = f"Creating a new record in {tmp_path}/pit.\n"
    first, second = (run("ingest", "--data", tmp_path / "pit", "-", given=OPENED + b"\n") for _ in range(2))
    assert first.stderr == f"{says}1 line: 1 recorded, 0 known already, 0 dead letters; 0 seals\n"
    assert second.stderr == "1 line: 0 recorded, 1 known already, 0 dead letters; 0 seals\n"


def test_a_gateway_begins_a_record_when_it_is_asked_to(nursery: Nursery, tmp_path: Path) -> None:
    for said in (True, False):
        gateway = nursery.start("gateway", "--new", "--data", tmp_path / "pit", "--socket", tmp_path / "sock")
        while not (tmp_path / "sock").exists():
            assert gateway.wait(0.01) is None, gateway.told.read_text()
        assert ("Creating a new record" in gateway.told.read_text()) is said
        gateway.ask_to_end()
        assert gateway.wait(60) == 0
