"""The vault: names are sealed, shown to who says why, erased for good; gone in every backup then, and proofs stay."""

import json
import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.gateway.keys import PASSPHRASE
from consumers.vault.people import KEYS_FILE, VAULT_FILE, Identity, Vault, VaultEntry, VaultTroubleError
from domain.desk.access import Accessed, IdentityErased, IdentityKept
from domain.desk.records import decode
from domain.facts.codec import encode
from domain.facts.envelope import Fact
from domain.simulation.scripted import day, round_, seat

JO = {"player": "p-1", "name": "Jo Doe of Riverside", "document": "passport 123"}
GOOD = "a-good-one"
WHY = ("--purpose", "case 2026-0001")


def run(folder: Path, *words: str, given: str = "", passphrase: str = GOOD) -> Result:
    return CliRunner().invoke(main, [*words, "--data", str(folder)], input=given, env={PASSPHRASE: passphrase})


def kept(folder: Path, *lines: dict[str, str]) -> Result:
    return run(folder, "vault", "put", "-", "--new", given="\n".join(map(json.dumps, lines)))


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
    assert (gone.exit_code, "no entry for p-1" in gone.stderr) == (1, True)
    assert run(tmp_path, "vault", "erase", "p-1", *WHY).exit_code == 1
    first, second, listed, third, _ = told(tmp_path)
    assert isinstance(first, IdentityKept)
    assert isinstance(second, Accessed)
    assert (second.what, second.of, second.why) == ("player", "who p-1 is", "case 2026-0001")
    assert isinstance(listed, Accessed)
    assert isinstance(third, IdentityErased)
    assert (third.player, third.why) == ("p-1", "asked for")
    stored = (tmp_path / "record/desk.sqlite").read_bytes()
    assert b"Jo Doe" not in stored, "the desk names the player's token, and never the name"


def test_the_file_shows_no_name_and_keeps_nothing_of_what_was_erased(tmp_path: Path) -> None:
    file, keys = tmp_path / VAULT_FILE, tmp_path / KEYS_FILE
    with Vault(file, b"a-good-one", create=True) as vault:
        vault.put([VaultEntry(player=f"p-{number}", name=f"Player {number}") for number in range(50)])
        sealed = vault._rows("SELECT sealed FROM people WHERE player = 'p-7'")[0][0]
        key = vault._rows("SELECT sealed FROM keys.keys WHERE player = 'p-7'")[0][0]
        assert (sealed in file.read_bytes(), key in keys.read_bytes()) == (True, True)
        assert b"Player 7" not in file.read_bytes()
        assert vault.erase("p-7")
        assert not vault.erase("p-7")
        assert (vault.identity("p-7"), vault.name("p-8")) == (None, "Player 8")
    assert (sealed in file.read_bytes(), key in keys.read_bytes()) == (False, False)
    beside = [path for path in file.parent.iterdir() if path not in (file, keys) and path.read_bytes()]
    assert not beside, "nor a file beside it"
    assert {path.stat().st_mode & 0o077 for path in (file, keys, file.parent)} == {0}


def test_an_entry_opens_with_its_passphrase_at_its_own_token_alone(tmp_path: Path) -> None:
    file = tmp_path / VAULT_FILE
    with Vault(file, b"a-good-one", create=True) as vault:
        vault.put([VaultEntry(player="p-1", name="Jo"), VaultEntry(player="p-2", name="Al")])
        vault._rows("UPDATE people SET sealed = (SELECT sealed FROM people WHERE player = 'p-1') WHERE player = 'p-2'")
        assert vault.identity("p-1") == Identity("Jo")
        assert vault.identity("p-2") is None, "sealed by another key than the player's own"
        mine = vault._rows("SELECT sealed FROM people WHERE player = 'p-1'")[0][0]
        vault._rows("UPDATE people SET sealed = ? WHERE player = 'p-1'", mine[:-1] + bytes([mine[-1] ^ 1]))
        with pytest.raises(VaultTroubleError, match="p-1 was altered"):
            vault.identity("p-1")
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
    ran = run(tmp_path, "vault", "put", "-", "--new", given=f"{json.dumps(JO)}\n{line}\n")
    assert (ran.exit_code, says in ran.stderr, "Nothing was stored" in ran.stderr) == (2, True, True)
    assert not (tmp_path / VAULT_FILE).exists()


def test_what_will_not_do_is_told(tmp_path: Path) -> None:
    none = run(tmp_path, "vault", "show", "p-1", *WHY)
    assert (none.exit_code, "there is no vault here" in none.stderr) == (2, True)
    kept(tmp_path, JO)
    wrong = run(tmp_path, "vault", "show", "p-1", *WHY, passphrase="no")
    assert (wrong.exit_code, "does not open with this passphrase" in wrong.stderr) == (2, True)
    assert run(tmp_path, "vault", "show", "p-1").exit_code == 2, "nobody looks without a reason"


def restored(folder: Path, backup: Path) -> None:
    ran = CliRunner().invoke(main, ["restore", str(backup), "--data", str(folder)])
    assert ran.exit_code == 0, ran.output


def test_whoever_is_erased_is_gone_in_a_backup_made_before_and_the_others_are_there(tmp_path: Path) -> None:
    """The backup has every entry; the keys have a copy of their own, replaced after the erasure."""
    pit, copy, safe, backup = tmp_path / "pit", tmp_path / "copy", tmp_path / "safe.sqlite", tmp_path / "all.tar"
    facts = day("UTH-MD", rounds=[round_(seat(2, player="p-1"))])
    (tmp_path / "day.jsonl").write_bytes(b"\n".join(map(encode, facts)))
    assert run(pit, "ingest", str(tmp_path / "day.jsonl")).exit_code == 0
    kept(pit, JO, {"player": "p-2", "name": "Al Roe"}, {"player": "p-3", "name": "Cy Poe"})
    assert run(pit, "vault", "copy-keys", str(safe)).exit_code == 0
    ran = run(pit, "backup", "--out", str(backup))
    assert (ran.exit_code, "not include the identity keys" in ran.stderr) == (0, True), ran.output
    assert run(pit, "vault", "erase", "p-1", *WHY).exit_code == 0
    assert run(pit, "vault", "copy-keys", str(safe)).exit_code == 0
    before = run(pit, "doctor")
    assert "whole" in before.output
    restored(copy, backup)
    assert VAULT_FILE in {path.relative_to(copy).as_posix() for path in copy.rglob("*.sqlite")}
    lost = run(copy, "vault", "show", "p-2", *WHY)
    assert (lost.exit_code, "Restore a copy of it" in lost.stderr) == (2, True), lost.output
    shutil.copy(safe, copy / KEYS_FILE)
    gone = run(copy, "vault", "show", "p-1", *WHY)
    assert (gone.exit_code, "no entry for p-1" in gone.stderr) == (1, True), gone.output
    for player, name in (("p-2", "Al Roe"), ("p-3", "Cy Poe")):
        assert json.loads(run(copy, "vault", "show", player, *WHY).stdout) == {"name": name}
    assert run(copy, "vault", "list").stdout == "p-2\np-3\n"


def test_who_was_erased_and_is_kept_again_is_not_told_by_the_entry_of_an_older_backup(tmp_path: Path) -> None:
    pit, copy = tmp_path / "pit", tmp_path / "copy"
    kept(pit, JO)
    shutil.copytree(pit, copy)
    run(pit, "vault", "erase", "p-1", *WHY)
    kept(pit, {"player": "p-1", "name": "Somebody else"})
    shutil.copy(pit / KEYS_FILE, copy / KEYS_FILE)
    assert run(copy, "vault", "show", "p-1", *WHY).exit_code == 1
    assert run(copy, "vault", "list").stdout == ""


def test_a_vault_of_the_form_before_is_read_and_every_entry_gets_its_key(tmp_path: Path) -> None:
    """Version 1 sealed all entries by the passphrase itself."""
    file, salt = tmp_path / VAULT_FILE, bytes(16)
    box = AESGCM(Scrypt(salt=salt, length=32, n=1 << 15, r=8, p=1).derive(GOOD.encode()))

    def sealed(words: bytes, of: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + box.encrypt(nonce, words, of)

    file.parent.mkdir()
    old = {f"p-{number}": sealed(b'{"name":"Player %d"}' % number, b"p-%d" % number) for number in range(40)}
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("CREATE TABLE about (salt BLOB NOT NULL, sealed BLOB NOT NULL)")
        db.execute("CREATE TABLE people (player TEXT PRIMARY KEY, sealed BLOB NOT NULL) WITHOUT ROWID")
        db.execute("INSERT INTO about VALUES (?, ?)", (salt, sealed(b"catwalk vault", b"check")))
        db.executemany("INSERT INTO people VALUES (?, ?)", old.items())
    wrong = run(tmp_path, "vault", "show", "p-7", *WHY, passphrase="no")
    assert (wrong.exit_code, (tmp_path / KEYS_FILE).exists()) == (2, False)
    shown = run(tmp_path, "vault", "show", "p-7", *WHY)
    assert (json.loads(shown.stdout), "its own key" in shown.stderr) == ({"name": "Player 7"}, True), shown.output
    again = run(tmp_path, "vault", "show", "p-39", *WHY)
    assert (json.loads(again.stdout), again.stderr) == ({"name": "Player 39"}, "")
    stored = file.read_bytes()
    assert not [player for player, entry in old.items() if entry in stored], "sealed by the passphrase no more"


def test_a_copy_of_the_keys_is_replaced_and_the_one_before_is_overwritten(tmp_path: Path) -> None:
    pit, safe, other = tmp_path / "pit", tmp_path / "safe.sqlite", tmp_path / "same-bytes"
    kept(pit, JO, {"player": "p-2", "name": "Al"})
    assert run(pit, "vault", "copy-keys", str(safe)).exit_code == 0
    other.hardlink_to(safe)
    run(pit, "vault", "erase", "p-1", *WHY)
    assert run(pit, "vault", "copy-keys", str(safe)).exit_code == 0
    assert not other.read_bytes().strip(b"\0"), "what the copy before held is still on the disk"
    assert safe.stat().st_mode & 0o777 == 0o600
    refused = run(pit, "vault", "copy-keys", str(pit / "keys.sqlite"))
    assert refused.exit_code == 2


def test_a_file_that_is_no_copy_of_the_keys_is_not_overwritten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    (tmp_path / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    (tmp_path / "letter").write_text("dear auntie")
    data = ("--data", str(tmp_path / "pit"))
    (tmp_path / "pit").mkdir(mode=0o700)
    assert CliRunner().invoke(main, ["vault", "put", str(tmp_path / "people.jsonl"), "--new", *data]).exit_code == 0
    for _ in range(2):
        assert CliRunner().invoke(main, ["vault", "copy-keys", str(tmp_path / "keys.sqlite"), *data]).exit_code == 0
    ran = CliRunner().invoke(main, ["vault", "copy-keys", str(tmp_path / "letter"), *data])
    assert ran.exit_code != 0
    assert "is not a copy of identity keys" in ran.stderr
    assert (tmp_path / "letter").read_text() == "dear auntie"
