"""`catwalk export`: ordered by one, signed by another, both on record, and its errors."""

import tarfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import msgspec
import pytest
from click.testing import Result

from consumers.desk.application import desk_of
from consumers.exporting import making
from consumers.exporting.staging import Staging
from consumers.exporting.writing import DAYS as DAYS_NOTED
from consumers.gateway.keys import PASSPHRASE
from consumers.vault.people import VAULT_FILE, Vault, VaultEntry
from domain.desk.access import Accessed, AccessRefused
from domain.desk.access import stream_of as access_stream
from domain.desk.export import stream_of
from domain.desk.export_records import ExportOrdered, ExportSigned
from domain.desk.records import decode
from projections.export.question import Scope
from tests.export.pits import DAYS, ENVIRONMENT, Pit, exported, run

pytestmark = pytest.mark.xdist_group("export")


def export(pit: Pit, who: str, *more: str) -> Result:
    """The command as this person runs it."""
    return run(
        "export", "--as", who, "--password-file", str(pit.folder / f"{who}.txt"), "--data", str(pit.folder), *more
    )


FOR = ("--purpose", "quarterly audit", "--recipient", "Gaming Commission")


def test_one_orders_another_signs_and_the_desk_has_both_with_the_digest(pit: Pit, tmp_path: Path) -> None:
    ordered = export(pit, "anna", "--hand", f"{pit.corrected}:2", *FOR)
    assert ordered.exit_code == 0, ordered.output
    order = ordered.stdout.strip()
    refused = export(pit, "dora", "--order", order, "--out", str(tmp_path / "x.tar"))
    assert (refused.exit_code, "dora (operator) may not sign exports." in refused.output) == (4, True), refused.output
    made = export(pit, "olga", "--order", order, "--out", str(tmp_path / "x.tar"))
    assert made.exit_code == 0, made.output
    digest = sha256((tmp_path / "x.tar").read_bytes()).hexdigest()
    assert made.stdout == f"{digest}  {tmp_path / 'x.tar'}\n"
    with closing(desk_of(data=pit.folder)) as desk:
        records = [decode(bytes(row.state)) for row in desk.recorder.select_events(stream_of(order))]
        wanted, signed = records
        assert isinstance(wanted, ExportOrdered)
        assert isinstance(signed, ExportSigned)
        assert (wanted.by, signed.by, signed.digest) == ("anna", "olga", digest)
        looks = [decode(bytes(row.state)) for row in desk.recorder.select_events(access_stream(signed.at))]
        taken = [each for each in looks if isinstance(each, Accessed) and each.what == "export"]
        assert (taken[-1].by, taken[-1].why, digest in taken[-1].of) == ("olga", "quarterly audit", True)
        assert any(isinstance(each, AccessRefused) and each.by == "dora" for each in looks)
    listed = export(pit, "anna", "--list", "--json")
    assert digest in {msgspec.json.decode(line)["sha256"] for line in listed.stdout.splitlines()}
    again = export(pit, "olga", "--order", order, "--out", str(tmp_path / "y.tar"))
    assert again.stdout.startswith(digest)


def test_a_checkpoint_newer_than_the_export_is_used_with_the_proof_the_property_writes(
    pit: Pit, tmp_path: Path
) -> None:
    """The auditor was there on the third day, and the export was made after the second."""
    exported(pit, Scope(hand=f"{pit.corrected}:2"), tmp_path / "x.tar")
    old, new = (str(size) for size in pit.sizes)
    data = ("--data", str(pit.folder))
    key = run("checkpoint", "key", "list", *data).stdout.split()[-1]
    checked = (
        "verify-export",
        str(tmp_path / "x.tar"),
        "--key",
        key,
        "--quiet",
        "--checkpoint",
        str(tmp_path / "held"),
    )
    run("checkpoint", "show", new, "--out", str(tmp_path / "held"), *data)
    told = run(*checked)
    assert told.exit_code == 5, told.output
    assert f"catwalk checkpoint show {new} --since {old} --out FILE" in told.stdout
    run("checkpoint", "show", new, "--since", old, "--out", str(tmp_path / "held"), *data)
    told = run(*checked)
    assert told.exit_code == 0, told.output


def test_nobody_signs_what_they_ordered(pit: Pit, tmp_path: Path) -> None:
    order = export(pit, "olga", "--table", "T1", *FOR).stdout.strip()
    refused = export(pit, "olga", "--order", order, "--out", str(tmp_path / "x.tar"))
    assert (refused.exit_code, refused.output) == (1, "Error: olga ordered it, so another person has to sign it.\n")
    assert not list(tmp_path.iterdir())


# What is typed besides who, the status, and the words of the answer.
ANSWERS = """
--table T99                                              | 1 | covers no table T99. It covers 2 tables (T1, T2)
--hand T1/2026-11-18:9999                                | 1 | has no round 9999. It has rounds 1 to
--hand T7/2026-11-18:1                                   | 1 | covers no stream T7/2026-11-18
--hand T1                                                | 2 | is not a hand: write table, gaming day and round like T7/2026-11-18:142
--case 2026-9999                                         | 1 | covers no case 2026-9999
--finding 0123456789                                     | 1 | covers no finding 0123456789
--days 2026-13-01                                        | 2 | '2026-13-01' is not a gaming day
--days 2026-11-20..2026-11-18                            | 2 | the days end before they begin
--days 2031-01-01                                        | 1 | nothing on record matches
--game WAR --days 2026-11-18                             | 2 | there is no game 'WAR': name one of UTH-MA
--case 2026-0001 --table T1                              | 2 | already selects its rounds
--table T1 --checkpoint 3                                | 1 | there is no checkpoint of 3 leaves
--table T1 --cosigned-by nobody                          | 1 | nobody has not cosigned
--access --table T1                                      | 2 | exported by days: name the days
--table T1 --out x.tar                                   | 2 | give --signed-by NAME
"""


@pytest.mark.parametrize("row", ANSWERS.strip().splitlines(), ids=lambda row: row.partition("|")[0].strip())
def test_what_cannot_be_exported_is_said_and_why(pit: Pit, row: str) -> None:
    typed, status, words = (cell.strip() for cell in row.split(" | "))
    ran = export(pit, "anna", *typed.split(), *FOR)
    assert (ran.exit_code, words in ran.output) == (int(status), True), ran.output


def test_purpose_and_recipient_are_needed(pit: Pit) -> None:
    assert "say the purpose of the export" in export(pit, "anna", "--table", "T1", "--recipient", "x").output
    assert "say who receives the export" in export(pit, "anna", "--table", "T1", "--purpose", "x").output


def test_a_wrong_password_orders_nothing(pit: Pit, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.write_text("not this one")
    ran = run(
        "export", "--as", "anna", "--password-file", str(wrong), "--days", DAYS[0], *FOR, "--data", str(pit.folder)
    )
    assert (ran.exit_code, "no account with this name and password" in ran.output) == (4, True)


def test_without_a_checkpoint_it_is_told_what_to_do(pit: Pit, tmp_path: Path) -> None:
    (tmp_path / "record").mkdir()
    for name in ("accounts.toml", "record/facts.sqlite"):
        (tmp_path / name).write_bytes((pit.folder / name).read_bytes())
    ran = run(
        "export", "--as", "anna", "--password-file", str(pit.folder / "anna.txt"), "--days", DAYS[0], *FOR,
        "--data", str(tmp_path),
    )  # fmt: skip
    assert (ran.exit_code, "run catwalk checkpoint" in ran.output) == (1, True)


def test_names_come_from_the_vault_for_whom_may_know_them(pit: Pit, tmp_path: Path) -> None:
    """The tables name a token beside its name; who was erased meanwhile stands there without one."""
    hand = ("--hand", f"{pit.corrected}:2", "--named", *FOR)
    refused = export(pit, "dora", *hand)
    assert (refused.exit_code, "may not" in refused.output) == (4, True), refused.output
    order = export(pit, "anna", *hand).stdout.strip()
    out = tmp_path / "x.tar"
    none = export(pit, "olga", "--order", order, "--out", str(out))
    assert (none.exit_code, "there is no vault here" in none.output, out.exists()) == (2, True, False)
    with Vault(pit.folder / VAULT_FILE, ENVIRONMENT[PASSPHRASE].encode(), create=True) as vault:
        vault.put([VaultEntry(player=pit.player, name="Jo Doe")])
    made = export(pit, "olga", "--order", order, "--out", str(out))
    assert made.exit_code == 0, made.output
    with tarfile.open(out) as tar:
        (name,) = (each for each in tar.getnames() if each.endswith("tables/players.csv"))
        held = tar.extractfile(name)
        assert held is not None
        rows = held.read().decode().splitlines()
    assert rows[0] == "player,name"
    assert all(row.partition(",")[2] in ("", "Jo Doe") for row in rows[1:])
    assert run("verify-export", str(out)).exit_code == 3, "sound, and no key was given from outside"


def test_ctrl_c_ends_it_with_a_word_and_the_same_command_goes_on(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Amid the second stream; the digest is that of an export nobody stopped."""
    order = export(pit, "anna", "--days", f"{DAYS[0]}..{DAYS[1]}", *FOR).stdout.strip()
    whole = export(pit, "olga", "--order", order, "--out", str(tmp_path / "whole.tar"))
    out = tmp_path / "x.tar"

    class Stopped(Staging):
        def note(self, name: str, told: object) -> None:
            super().note(name, told)
            if name == DAYS_NOTED and len(list(self.noted(name))) == 2:
                raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(making, "Staging", Stopped)
        ended = export(pit, "olga", "--order", order, "--out", str(out))
    assert ended.exit_code == 130
    assert f"{out}.part holds the work done so far: run the same command to resume." in ended.stderr
    assert not out.exists()
    again = export(pit, "olga", "--order", order, "--out", str(out))
    assert again.stdout.split()[0] == whole.stdout.split()[0] == sha256(out.read_bytes()).hexdigest()
