"""An export with the names of its players, by command: for those with the right, ordered, signed and on record."""

import shutil
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import Result

from consumers.accounts import accounts
from consumers.desk.application import desk_of
from consumers.gateway.keys import PASSPHRASE
from consumers.vault.people import VAULT_FILE, Vault, VaultEntry
from domain.desk.access import Accessed, AccessRefused
from domain.desk.export import PREFIX
from domain.desk.export_records import ExportOrdered, ExportSigned
from domain.desk.records import decode
from domain.facts.envelope import Fact
from tests.export.pits import ENVIRONMENT, LETTERS, Pit, run

pytestmark = pytest.mark.xdist_group("export")
FOR = ("--purpose", "dispute", "--recipient", "Board")
NAME = "Jo Doe of the third row"


@pytest.fixture
def house(pit: Pit, tmp_path: Path) -> Path:
    """The record with a vault, and with an auditor, who orders and signs exports and may not know who players are."""
    folder = tmp_path / "pit"
    shutil.copytree(pit.folder, folder)
    accounts.added(folder / accounts.ACCOUNTS, "arno", ("auditor",), LETTERS)
    (folder / "arno.txt").write_text(LETTERS)
    with Vault(folder / VAULT_FILE, ENVIRONMENT[PASSPHRASE].encode(), create=True) as vault:
        vault.put([VaultEntry(player=pit.player, name=NAME)])
    return folder


def export(house: Path, who: str, *more: str) -> Result:
    return run("export", "--as", who, "--password-file", str(house / f"{who}.txt"), "--data", str(house), *more)


def on_record(house: Path) -> list[tuple[str, Fact]]:
    """Everything at the desk, with its stream."""
    with closing(desk_of(data=house)) as desk:
        rows = desk.recorder.select_notifications(1, 10_000)
    return [(str(row.originator_id), decode(bytes(row.state))) for row in rows]


def test_who_may_not_know_who_players_are_neither_orders_nor_signs_it(house: Path, pit: Pit, tmp_path: Path) -> None:
    """Their other rights change nothing; each attempt is on record, and no file is made."""
    before, out = len(on_record(house)), tmp_path / "x.tar"
    hand = ("--hand", f"{pit.corrected}:2", *FOR)
    assert export(house, "arno", *hand).exit_code == 0
    at_once = ("--signed-by", "arno", "--signer-password-file", str(house / "arno.txt"), "--out", str(out))
    order = export(house, "anna", *hand, "--named").stdout.strip()
    for refused in (
        export(house, "arno", *hand, "--named"),
        export(house, "arno", "--order", order, "--out", str(out)),
        export(house, "anna", *hand, "--named", *at_once),
    ):
        assert refused.exit_code == 4, refused.output
        assert "arno (auditor) may not see identities" in refused.output
    assert not list(tmp_path.glob("x.tar*"))
    told = [record for _, record in on_record(house)[before:]]
    assert [each.by for each in told if isinstance(each, AccessRefused)] == ["arno"] * 3
    assert not [each for each in told if isinstance(each, ExportSigned)]


def test_the_order_and_the_signature_are_on_record_with_what_was_asked(house: Path, pit: Pit, tmp_path: Path) -> None:
    out = tmp_path / "x.tar"
    order = export(house, "anna", "--hand", f"{pit.corrected}:2", "--named", *FOR).stdout.strip()
    made = export(house, "olga", "--order", order, "--out", str(out))
    assert made.exit_code == 0, made.output
    with tarfile.open(out) as container:
        (players,) = (each for each in container.getmembers() if each.name.endswith("tables/players.csv"))
        assert container.extractfile(players) is not None
    held = [(stream, record) for stream, record in on_record(house) if stream == f"{PREFIX}{order}"]
    wanted, signed = (record for _, record in held)
    assert isinstance(wanted, ExportOrdered)
    assert isinstance(signed, ExportSigned)
    assert (wanted.by, signed.by) == ("anna", "olga")
    assert "Players: named" in wanted.asked
    looks = [record for _, record in on_record(house) if isinstance(record, Accessed) and record.what == "export"]
    assert (looks[-1].by, looks[-1].why) == ("olga", "dispute")
    assert made.stdout.split()[0] in looks[-1].of
    listed = export(house, "arno", "--list")
    assert "Players: named" in listed.stdout
    assert NAME not in listed.stdout
    assert NAME.encode() not in (house / "record/desk.sqlite").read_bytes()
