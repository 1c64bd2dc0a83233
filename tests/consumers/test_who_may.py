"""Every command has decided who may run it: as on the pages, what nobody granted is denied, and that is on record."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from consumers.accounts import accounts
from consumers.accounts.accounts import added
from consumers.accounts.asker import AS, PASSWORD_FILE, user
from consumers.command import main
from consumers.desk.commands import SHOW
from consumers.desk.opening import open_desk
from consumers.gateway.keys import PASSPHRASE
from domain.desk.access import (
    Accessed,
    AccessRefused,
    AccountAdded,
    AccountRemoved,
    IdentityErased,
    IdentityKept,
    SignInUnlocked,
)
from domain.desk.records import decode
from domain.desk.roles import RIGHTS, ROLES, Person, Right
from domain.facts.envelope import Fact
from projections.reading import opened as reading
from tests.citations import ROOT
from tests.consumers.tried_commands import TRIED
from tests.gateway.admitted import OPENED
from tests.gateway.floor import START
from tests.room.browser import PASSWORD
from tests.room.conftest import record

__all__ = ["record"]

pytestmark = pytest.mark.xdist_group("record")

ACTS = (AccountAdded, AccountRemoved, SignInUnlocked, IdentityErased, IdentityKept)  # they describe themselves
ROWS = TRIED.strip().splitlines()

# Commands | why they do not ask who runs them.
SHOW_NOTHING = """
checkpoint cosigned, checkpoint list, checkpoint show | heads of the tree: hashes and times
checkpoint key list, checkpoint key make, checkpoint key rotate | keys of the property: protected by their passphrase
checkpoint restore                                    | rebuilds the tree's file from published entries
demo, up                                              | start the parts; the pages have their own sign-in
doctor                                                | names places and hashes, never contents
gateway, ingest                                       | record what devices send
feed check                                            | checks the input it is given, and reads no record
map                                                   | reads the file it is given, and no record
books, odds, settle                                   | compute from their input, and read no record
project, rebuild, relay                               | store what they read, and show none of it
restore                                               | makes a new folder from a backup, whose making is recorded
score, verify-export                                  | read files that were handed out, without a desk
signer                                                | makes exports that signed-in people sign on the pages
simulate                                              | simulates a floor
sources words                                         | prints the bytes to sign, and reads no record
topics access, topics check, topics create            | settings of a cluster
witness list, witness make, witness prove, witness see | a second party, which sees only heads of the tree
"""


def leaves(command: click.Command, name: str = "") -> Iterator[str]:
    """Every command that can be run."""
    if not isinstance(command, click.Group):
        yield name
        return
    for each, inner in command.commands.items():
        yield from leaves(inner, f"{name} {each}".strip())


def test_every_command_has_decided_whether_it_shows_something_of_the_record() -> None:
    rows = [[cell.strip() for cell in line.split("|")] for line in SHOW_NOTHING.strip().splitlines()]
    show_nothing = [name.strip() for names, _ in rows for name in names.split(",")]
    assert sorted([*SHOW, *show_nothing]) == sorted(leaves(main))
    assert all(why for _, why in rows), "who is not asked who they are has a reason"


def test_every_command_that_shows_something_is_tried_here() -> None:
    assert {name_of(row) for row in ROWS} == set(SHOW)


def name_of(row: str) -> str:
    """The command of a row."""
    words = row.partition("|")[0].split()
    return next(" ".join(words[:length]) for length in (1, 2) if " ".join(words[:length]) in SHOW)


@pytest.fixture(scope="module")
def cheap() -> Iterator[None]:
    """Passwords that cost next to nothing: two hundred sign-ins pay for what tests/room/test_accounts.py shows."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(accounts, "_COST", 2**4)
        yield


@pytest.fixture(scope="module")
def house(record: Path, tmp_path_factory: pytest.TempPathFactory, cheap: None) -> Path:
    """The record of a house with an account for each role, keys, a dead letter and a vault."""
    folder = tmp_path_factory.mktemp("house")
    pit = folder / "pit"
    shutil.copytree(record, pit)
    for role in ROLES:
        added(pit / "accounts.toml", role, (role,), PASSWORD)
    for name in ("gone", "olga"):
        added(pit / "accounts.toml", name, ("operator",), PASSWORD)
    (folder / "given").write_text(PASSWORD)
    (folder / "wrong").write_text("something else")
    (folder / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n{"player": "p-2", "name": "Al Roe"}\n')
    (folder / "junk.jsonl").write_text("junk\n")
    assert run(folder, ["vault", "put", str(folder / "people.jsonl")], "investigator").exit_code == 0
    assert run(folder, ["ingest", str(folder / "junk.jsonl")]).exit_code == 1
    later = OPENED.replace(b"2026-11-18", b"2030-11-18").replace(b"%d" % START, b"1921233600000000")
    (folder / "opened.jsonl").write_bytes(later + b"\n")
    assert run(folder, ["ingest", str(folder / "opened.jsonl")]).exit_code == 0
    for table in ("T7", "T8"):
        assert run(folder, ["keys", "make", table, f"{table}-1"], "device-admin").exit_code == 0
    register = ["sources", "register", "r8", "--table", "T8", "--may", "play", "--user", "0"]
    assert run(folder, register, "device-admin").exit_code == 0
    shutil.copytree(pit, folder / "open/pit", ignore=shutil.ignore_patterns("accounts.toml"))
    return folder


@pytest.fixture
def open_house(house: Path) -> Path:
    """The same without accounts."""
    return house / "open"


def run(house: Path, words: list[str], who: str = "", file: str = "given") -> Result:
    """Run a command on the house's record as this account."""
    place = [] if "--from-data" in words else ["--data", str(house / "pit")]
    given = {AS: who or None, PASSWORD_FILE: str(house / file), PASSPHRASE: "a-good-one"}
    given |= {"CATWALK_ACCOUNT_PASSWORD": PASSWORD}
    return CliRunner().invoke(main, [*words, *place], env=given)


def told(house: Path) -> list[Fact]:
    """The house's access log."""
    with closing(open_desk(house / "pit", {})) as desk:
        rows = desk.recorder.select_notifications(1, 10_000)
        return [decode(bytes(row.state)) for row in rows if str(row.originator_id).startswith("access/")]


def words_of(row: str, house: Path, out: Path) -> list[str]:
    """The row's command, its gaps filled."""
    out.mkdir(exist_ok=True)
    (out / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    filled = row.partition("|")[0].replace("PIT", str(house / "pit")).replace("OUT", str(out))
    if "WHO" in filled:
        with reading(house / "pit/read") as held:
            query = """SELECT min(player) FROM player_days WHERE player <> '' AND "table" = 'T1'"""
            player = str(held.query(query)[0][0])
        filled = filled.replace("WHO", player)
    return [word.replace("<", " ") for word in filled.split()]


def who_may(row: str) -> dict[str, bool]:
    """Each role, and whether it may run it."""
    cells = row.split("|")
    rights: list[Right] = [SHOW[name_of(row)].right, *(right for right in RIGHTS if right in cells[1].split())]
    return {role: all(Person(role, (role,)).may(right) for right in rights) for role in ROLES}


def refused(row: str) -> list[str]:
    """The roles that may not run it."""
    return [role for role, may in who_may(row).items() if not may]


def command_of(row: str) -> str:
    """A row's name in a list of tests."""
    return row.partition("|")[0].strip()


@pytest.mark.parametrize("row", ROWS, ids=command_of)
def test_without_an_account_nothing_is_shown_and_that_is_on_record(house: Path, tmp_path: Path, row: str) -> None:
    before = len(told(house))
    done = run(house, words_of(row, house, tmp_path / "out"))
    assert (done.exit_code, done.stdout) == (4, ""), done.output
    [record] = told(house)[before:]
    assert isinstance(record, AccessRefused)
    assert (record.by, record.what, record.role) == (user(), "sign-in", "")
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["people.jsonl"]


@pytest.mark.parametrize("row", [row for row in ROWS if refused(row)], ids=command_of)
def test_a_role_without_the_right_is_refused_and_that_is_on_record(house: Path, tmp_path: Path, row: str) -> None:
    before, role = len(told(house)), refused(row)[0]
    done = run(house, words_of(row, house, tmp_path / "out"), role)
    assert (done.exit_code, done.stdout) == (4, ""), done.output
    assert f"{role} ({role}) may not" in done.stderr
    [record] = told(house)[before:]
    assert isinstance(record, AccessRefused)
    assert (record.by, record.what, record.role) == (role, SHOW[name_of(row)].what, role)
    assert [file.name for file in (tmp_path / "out").iterdir()] == ["people.jsonl"]


def test_only_the_floor_and_the_health_of_the_record_are_for_every_role() -> None:
    assert {SHOW[name_of(row)].right for row in ROWS if not refused(row)} == {"see-floor", "see-record"}


@pytest.mark.parametrize("row", ROWS, ids=command_of)
def test_a_role_with_the_right_is_let_in_and_that_is_on_record(house: Path, tmp_path: Path, row: str) -> None:
    before, role = len(told(house)), next(role for role, may in who_may(row).items() if may)
    done = run(house, words_of(row, house, tmp_path / "out"), role)
    assert done.exit_code == int(row.split("|")[2]), done.output
    records = told(house)[before:]
    assert records
    assert {getattr(record, "by", "") for record in records} == {role}
    looks = [(each.what, each.role) for each in records if isinstance(each, Accessed)]
    acts = [each for each in records if isinstance(each, ACTS)]
    assert not looks if acts else set(looks) == {(SHOW[name_of(row)].what, role)}
    assert bool(acts) == (
        name_of(row)
        in ("accounts add", "accounts password", "accounts remove", "accounts unlock", "vault put", "vault erase")
    )


@pytest.mark.parametrize(
    "row", [row for row in ROWS if not row.startswith(("accounts", "keys", "sources"))], ids=command_of
)
def test_without_accounts_who_owns_the_files_is_known_by_the_machine(
    open_house: Path, tmp_path: Path, row: str
) -> None:
    before = len(told(open_house))
    done = run(open_house, words_of(row, open_house, tmp_path / "out"))
    assert done.exit_code == int(row.split("|")[2]), done.output
    records = told(open_house)[before:]
    assert records
    assert {getattr(record, "by", "") for record in records} == {user()}
    assert {getattr(record, "role", "") for record in records} == {""}


# Who | what they run | whether they are let in
OTHERS = """
manager       ask hold                               yes
manager       sql -c SELECT<1                        yes
manager       backup --out OUT/backup.tar            yes
investigator  ask hold                               no
investigator  sql -c SELECT<1                        no
investigator  backup --out OUT/backup.tar            no
investigator  dispute T1 --round 2 --out OUT/d.tar   yes
auditor       vault list                             yes
auditor       vault put OUT/people.jsonl             no
device-admin  ask troubles                           yes
device-admin  ask findings                           no
device-admin  reconstruct T1 --round 2               no
device-admin  log copy --from-data PIT --to-data OUT/copy  yes
"""


@pytest.mark.parametrize("row", OTHERS.strip().splitlines())
def test_each_role_is_let_in_by_its_rights(house: Path, tmp_path: Path, row: str) -> None:
    who, rest = row.split(maxsplit=1)
    command, answer = rest.rsplit(maxsplit=1)
    done = run(house, words_of(command, house, tmp_path / "out"), who)
    assert (done.exit_code != 4) == (answer == "yes"), done.output


@pytest.mark.parametrize(
    ("who", "file", "says", "of"),
    [
        ("", "given", "name yours with --as", "no account of the folder"),
        ("manager", "wrong", "no account with this name and password", "manager"),
        ("nobody", "given", "no account with this name and password", "no such account"),
        ("manager", "nowhere", "cannot be read", "no account of the folder"),
    ],
)
def test_once_accounts_are_kept_nobody_is_let_in_without_one(
    house: Path, who: str, file: str, says: str, of: str
) -> None:
    done = run(house, ["ask", "floor"], who, file)
    assert (done.exit_code, done.stdout) == (4, "")
    assert says in done.stderr
    record = told(house)[-1]
    assert isinstance(record, AccessRefused)
    assert (record.by, record.what, record.role) == (user(), "sign-in", "")
    assert record.of == of


def test_an_operator_sees_backs_where_an_investigator_sees_faces(house: Path) -> None:
    shown = {who: run(house, ["reconstruct", "T1", "--round", "2"], who) for who in ("operator", "investigator")}
    assert "your role may not see them" in shown["operator"].stdout
    assert "was dealt to seat" not in shown["operator"].stdout
    assert "was dealt to seat" in shown["investigator"].stdout
    assert "cards are hidden" in shown["operator"].stderr
    assert "cards are hidden" not in shown["investigator"].stderr
    row = "SELECT card FROM cards WHERE stream = 'T1/2026-11-18' AND round = 2 AND place = 'seat'"
    with reading(house / "pit/read") as held:
        assert held.query(row)
    told_of = {who: run(house, ["ask", "round", "T1/2026-11-18:2", "--json"], who).stdout for who in shown}
    assert '"cards":[]' in told_of["operator"]
    assert '"cards":[]' not in told_of["investigator"]


def test_a_finding_names_no_player_to_who_may_not_see_players(house: Path) -> None:
    asked = ["ask", "findings", "--code", "wager-overpaid", "--json"]
    assert '"player":null' in run(house, asked, "operator").stdout
    assert '"player":"p-' in run(house, asked, "investigator").stdout
    assert '"player":"p-' not in run(house, asked, "operator").stdout


def test_a_part_that_shows_nothing_asks_nobody(house: Path) -> None:
    done = run(house, ["watch", "--once", "--quiet"])
    assert done.exit_code != 4, done.output
    assert not done.stdout


def test_no_command_takes_a_secret_as_an_argument() -> None:
    """Every user of the machine can read a command line."""

    def options(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
        for option in command.params:
            yield from ((name, word) for word in option.opts)
        if isinstance(command, click.Group):
            for each, inner in command.commands.items():
                yield from options(inner, f"{name} {each}")

    secret = [
        (name, word) for name, word in options(main, "catwalk") if any(of in word for of in ("password", "passphrase"))
    ]
    assert secret
    assert [row for row in secret if not row[1].endswith("-file")] == []


@pytest.mark.parametrize("words", [["ask", "floor"], ["accounts", "list"], ["export", "--list"]])
def test_a_name_nobody_has_costs_what_a_wrong_password_costs(
    house: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """The answer for an unknown name takes as long as scrypt, as on the pages, so that guessing names reveals none."""
    tries: list[int] = []
    slow = hashlib.scrypt

    def counted(password: bytes, **how: Any) -> bytes:
        tries[-1] += 1
        return slow(password, **how)

    monkeypatch.setattr(hashlib, "scrypt", counted)
    said = []
    for who, file in (("manager", "wrong"), ("nobody", "given")):
        tries.append(0)
        refused = run(house, words, who, file)
        assert refused.exit_code == 4
        said.append(refused.stderr.replace(who, "NAME"))
    assert tries[0] == tries[1] > 0
    assert said[0] == said[1]


def test_at_a_terminal_the_password_is_asked_for_and_not_shown(house: Path) -> None:
    for file in (house / "pit/room").glob("sign-ins.sqlite*"):  # failures of other tests slow the next try
        file.unlink()
    ours, theirs = os.openpty()
    bare = {name: value for name, value in os.environ.items() if name not in (AS, PASSWORD_FILE)}
    words = ["ask", "floor", "--as", "manager", "--json", "--data", str(house / "pit")]
    cheap = f"from consumers.accounts import accounts; accounts._COST = {accounts._COST}"
    code = f"{cheap}; from consumers.command import main; main(prog_name='catwalk')"
    command = [sys.executable, "-c", code, *words]
    asking = subprocess.Popen(
        command, stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, env=bare, cwd=ROOT, start_new_session=True
    )
    seen = b""
    while b"password of manager" not in seen:
        seen += os.read(ours, 1_000)
    os.write(ours, PASSWORD.encode() + b"\n")
    shown, _ = asking.communicate(timeout=180)
    os.set_blocking(ours, False)
    seen += os.read(ours, 10_000)
    os.close(ours)
    os.close(theirs)
    assert (asking.returncode, b'"T1"' in shown) == (0, True), seen
    assert PASSWORD.encode() not in seen
