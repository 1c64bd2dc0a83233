"""The vault: names are sealed, shown to who says why, erased for good; it goes with a backup, and proofs stay."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.gateway.keys import PASSPHRASE
from consumers.vault.people import VAULT_FILE, Entry, Identity, Vault, VaultTroubleError
from domain.desk.access import Accessed, IdentityErased, IdentityKept
from domain.desk.records import decode
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.floor.scripted import day, round_, seat

JO = {"player": "p-1", "name": "Jo Doe of Riverside", "document": "passport 123"}
GOOD = "a-good-one"
WHY = ("--purpose", "case 2026-0001")


def run(folder: Path, *words: str, given: str = "", passphrase: str = GOOD) -> Result:
    return CliRunner().invoke(main, [*words, "--data", str(folder)], input=given, env={PASSPHRASE: passphrase})


def kept(folder: Path, *lines: dict[str, str]) -> Result:
    return run(folder, "vault", "put", "-", given="\n".join(map(json.dumps, lines)))


def told(folder: Path) -> list[Fact]:
    with closing(desk_of(data=folder)) as desk:
        return [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]


def test_who_somebody_is_is_kept_shown_and_erased_and_each_stands_on_record(tmp_path: Path) -> None:
    assert kept(tmp_path, JO).exit_code == 0
    shown = run(tmp_path, "vault", "show", "p-1", *WHY)
    assert json.loads(shown.stdout) == {"name": "Jo Doe of Riverside", "document": "passport 123"}
    assert run(tmp_path, "vault", "list").stdout == "p-1\n"
    assert run(tmp_path, "vault", "erase", "p-1", "--purpose", "asked for").exit_code == 0
    gone = run(tmp_path, "vault", "show", "p-1", *WHY)
    assert (gone.exit_code, "nothing is kept of p-1" in gone.stderr) == (1, True)
    assert run(tmp_path, "vault", "erase", "p-1", *WHY).exit_code == 1
    first, second, listed, third, _ = told(tmp_path)
    assert isinstance(first, IdentityKept)
    assert isinstance(second, Accessed)
    assert (second.what, second.of, second.why) == ("player", "who p-1 is", "case 2026-0001")
    assert isinstance(listed, Accessed)
    assert isinstance(third, IdentityErased)
    assert (third.player, third.why) == ("p-1", "asked for")
    stored = (tmp_path / "record/desk.sqlite").read_bytes()
    assert b"Jo Doe" not in stored, "the desk tells of whom, and never who"


def test_the_file_shows_no_name_and_keeps_nothing_of_what_was_erased(tmp_path: Path) -> None:
    file = tmp_path / VAULT_FILE
    with Vault(file, b"a-good-one", create=True) as vault:
        vault.put([Entry(player=f"p-{number}", name=f"Player {number}") for number in range(50)])
        sealed = vault._rows("SELECT sealed FROM people WHERE player = 'p-7'")[0][0]
        assert sealed in file.read_bytes()
        assert b"Player 7" not in file.read_bytes()
        assert vault.erase("p-7")
        assert not vault.erase("p-7")
        assert (vault.identity("p-7"), vault.name("p-8")) == (None, "Player 8")
    assert sealed not in file.read_bytes()
    assert not [path for path in file.parent.iterdir() if path != file and path.read_bytes()], "nor a file beside it"
    assert (file.stat().st_mode & 0o077, file.parent.stat().st_mode & 0o077) == (0, 0)


def test_an_entry_opens_with_its_passphrase_at_its_own_token_alone(tmp_path: Path) -> None:
    file = tmp_path / VAULT_FILE
    with Vault(file, b"a-good-one", create=True) as vault:
        vault.put([Entry(player="p-1", name="Jo"), Entry(player="p-2", name="Al")])
        vault._rows("UPDATE people SET sealed = (SELECT sealed FROM people WHERE player = 'p-1') WHERE player = 'p-2'")
        assert vault.identity("p-1") == Identity("Jo")
        with pytest.raises(VaultTroubleError, match="p-2 was altered"):
            vault.identity("p-2")
    with pytest.raises(VaultTroubleError, match="does not open with this passphrase"):
        Vault(file, b"another one")


BAD = [
    ('{"player": "p-2"}', "line 2"),
    ('{"player": "p-2", "name": ""}', "line 2"),
    ('{"player": "p-2", "name": "Al", "born": 1970}', "line 2"),
    ("Al", "line 2"),
]


@pytest.mark.parametrize(("line", "says"), BAD)
def test_one_bad_line_and_nothing_is_kept(line: str, says: str, tmp_path: Path) -> None:
    ran = run(tmp_path, "vault", "put", "-", given=f"{json.dumps(JO)}\n{line}\n")
    assert (ran.exit_code, says in ran.stderr, "nothing was kept" in ran.stderr) == (2, True, True)
    assert not (tmp_path / VAULT_FILE).exists()


def test_what_will_not_do_is_told(tmp_path: Path) -> None:
    none = run(tmp_path, "vault", "show", "p-1", *WHY)
    assert (none.exit_code, "there is no vault here" in none.stderr) == (2, True)
    kept(tmp_path, JO)
    wrong = run(tmp_path, "vault", "show", "p-1", *WHY, passphrase="no")
    assert (wrong.exit_code, "does not open with this passphrase" in wrong.stderr) == (2, True)
    assert run(tmp_path, "vault", "show", "p-1").exit_code == 2, "nobody looks without a reason"


def test_it_goes_with_a_backup_and_the_record_is_whole_without_whom_it_erased(tmp_path: Path) -> None:
    pit, copy = tmp_path / "pit", tmp_path / "copy"
    facts = day("UTH-MD", rounds=[round_(seat(2, player="p-1"))])
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    assert run(pit, "ingest", str(tmp_path / "day.jsonl")).exit_code == 0
    kept(pit, JO)
    ran = run(pit, "backup", "--out", str(tmp_path / "all.tar"))
    assert ran.exit_code == 0, ran.output
    assert run(pit, "vault", "erase", "p-1", *WHY).exit_code == 0
    before = run(pit, "doctor")
    assert "whole" in before.output
    ran = CliRunner().invoke(main, ["restore", str(tmp_path / "all.tar"), "--data", str(copy)])
    assert ran.exit_code == 0, ran.output
    assert json.loads(run(copy, "vault", "show", "p-1", *WHY).stdout)["name"] == JO["name"]
