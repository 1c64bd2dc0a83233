"""Failed sign-ins: the next one waits, ten in a row lock, on the pages and in commands alike, and all of it is on record."""

import json
import re
import sqlite3
import tarfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.accounts import accounts
from consumers.accounts.accounts import Accounts, added
from consumers.accounts.door import NO_ACCOUNT, KeptOutError, SignInDoor
from consumers.accounts.failures import LOCK_SECONDS, Failures
from consumers.accounts.sign_in_file import SIGN_INS, SignInFile
from consumers.command import main
from consumers.desk.application import Desk, desk_of
from consumers.gateway.keys import PASSPHRASE
from domain.desk.access import AccessRefused, SignInLocked, SignInUnlocked
from domain.desk.records import decode
from domain.desk.roles import Person
from domain.facts.envelope import Fact
from tests.citations import ROOT

GOOD, BAD = "a long enough one", "not the password"
HERE, THERE = "192.0.2.1", "198.51.100.7"
WAITS = (0, 0, 1, 2, 4, 8, 16, 32, 60)  # seconds after each failure in a row; after the tenth it is half an hour


class House:
    """A door with two accounts, a clock that is put on, and a desk."""

    def __init__(self, folder: Path, desk: Desk) -> None:
        self.folder, self.desk, self.now = folder, desk, 1_795_003_200.0
        self.file = folder / "accounts.toml"
        added(self.file, "mara", ("manager",), GOOD)
        added(self.file, "olga", ("operator",), GOOD)
        self.opened()

    def opened(self) -> None:
        """The room starts, or starts again."""
        failures = Failures(SignInFile(self.folder), lambda: self.now)
        self.door = SignInDoor(Accounts(self.file), failures, lambda: self.desk, lambda: int(self.now * 1e6))

    def tries(self, name: str, password: str = BAD, address: str = HERE) -> str:
        """The words shown after a try; empty after a sign-in."""
        try:
            self.door.enter(name, password, address)
        except KeptOutError as error:
            return str(error)
        return ""

    def locked(self, name: str, address: str = HERE) -> None:
        """Ten tries that fail, each when it may be made."""
        for wait in (*WAITS, 0):
            assert "name or the password is wrong" in self.tries(name, address=address)
            self.now += wait

    def told(self) -> list[Fact]:
        """Entries of the desk."""
        return [decode(bytes(row.state)) for row in self.desk.recorder.select_notifications(1, 1_000)]


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """A house where a password costs next to nothing; what it costs is shown in tests/room/test_accounts.py."""
    monkeypatch.setattr(accounts, "_COST", 2**4)
    with closing(desk_of(data=tmp_path)) as desk:
        yield House(tmp_path, desk)


def test_each_failure_in_a_row_makes_the_next_try_wait_longer_and_the_right_password_waits_too(house: House) -> None:
    for wait in WAITS:
        assert "name or the password is wrong" in house.tries("olga")
        if wait:
            house.now += wait - 0.1
            assert "Wait 1 second and" in house.tries("olga", GOOD, THERE)
            house.now += 0.1
    assert house.tries("olga", GOOD) == ""
    assert [house.tries("olga") for _ in range(2)][-1].startswith("The name")  # they are counted from the beginning


def test_after_ten_failures_an_account_is_locked_for_half_an_hour_and_opens_by_itself(house: House) -> None:
    house.locked("olga")
    says = house.tries("olga", GOOD, THERE)
    assert says.startswith("Too many sign-ins with this name failed. It is locked for another 30 minutes;")
    house.now += LOCK_SECONDS - 1
    assert "locked" in house.tries("olga", GOOD)
    house.now += 1
    assert house.tries("olga", GOOD) == ""


def test_a_restart_of_the_room_forgets_no_failure(house: House) -> None:
    house.locked("olga")
    house.opened()
    assert "locked" in house.tries("olga", GOOD)
    assert (house.folder / SIGN_INS).stat().st_mode & 0o077 == 0


def test_a_name_nobody_has_is_slowed_and_locked_in_the_same_words(house: House) -> None:
    """The answer reveals no names: not by its words, not by its time."""
    said: dict[str, list[str]] = {}
    for name in ("olga", "nobody-at-all"):
        house.now = 1_795_003_200.0
        said[name] = []
        for wait in (*WAITS, 0):
            said[name] += [house.tries(name, address=f"192.0.2.{len(said)}"), house.tries(name, address="203.0.113.9")]
            house.now += wait
        said[name].append(house.tries(name))
    assert said["olga"] == said["nobody-at-all"]


def test_one_address_is_slowed_after_ten_names_and_locked_after_forty(house: House) -> None:
    failed = 0
    while "locked" not in (says := house.tries(f"name{failed}", address="2001:db8::1")):
        assert "name or the password is wrong" in says
        failed += 1
        house.now += 61 if failed > 10 else 0
        assert failed < 100
    assert failed == 40
    assert "from this address" in house.tries("olga", GOOD, "2001:db8::2")  # the same network of IPv6
    assert house.tries("olga", GOOD, "2001:db8:0:1::2") == ""


def test_who_knows_one_password_tries_no_more_others_from_their_address(house: House) -> None:
    for number in range(30):
        house.tries(f"name{number}")
        house.now += 61
        house.tries("olga", GOOD)
    assert "from this address" in house.tries("x") or "from this address" in house.tries("y")


def test_those_who_try_at_once_do_not_get_more_tries(house: House) -> None:
    with ThreadPoolExecutor(16) as many:
        said = list(many.map(lambda _: house.tries("olga"), range(40)))
    assert sum("name or the password is wrong" in each for each in said) == 3


def test_every_failure_and_every_lock_stands_in_the_access_log_and_no_password_does(house: House) -> None:
    house.locked("olga")
    for _ in range(5):
        house.tries("olga", GOOD, THERE)
    house.tries(GOOD, "")
    records = house.told()
    refused = [each for each in records if isinstance(each, AccessRefused)]
    assert [(each.of, each.address, each.why) for each in refused] == [
        *[("olga", HERE, "")] * 10,
        ("olga", THERE, "locked"),  # once a lock: further tries do not fill the log
        (NO_ACCOUNT, HERE, ""),
    ]
    [lock] = [each for each in records if isinstance(each, SignInLocked)]
    assert (lock.of, lock.failures, lock.until) == ("olga", 10, int((house.now + LOCK_SECONDS) * 1e6))
    assert not any(GOOD in str(each) or BAD in str(each) for each in records)
    with closing(sqlite3.connect(house.folder / SIGN_INS)) as held:
        assert GOOD not in str(held.execute("SELECT * FROM failures").fetchall())


def command(folder: Path, *words: str, account: str, password: str) -> Result:
    """A command that asks who runs it."""
    (folder / "own.txt").write_text(password)
    given = ("--as", account, "--own-password-file", str(folder / "own.txt"), "--data", str(folder))
    return CliRunner().invoke(main, [*words, *given], env={"CATWALK_ACCOUNT_PASSWORD": GOOD})


def passed(folder: Path, seconds: float) -> None:
    """Time has passed since the failures so far."""
    with closing(sqlite3.connect(folder / SIGN_INS, isolation_level=None)) as held:
        held.execute("UPDATE failures SET last = last - ?, until = until - ?", [seconds, seconds])


def shows_the_lock(folder: Path) -> None:
    """The list of accounts says that olga is locked, until when, and after how many failures."""
    listed = command(folder, "accounts", "list", account="mara", password=GOOD).stdout.splitlines()
    (olga,) = [line for line in listed if line.startswith("olga ")]
    assert re.search(r"operator  locked until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ after 10 failed sign-ins$", olga), olga
    assert "locked" not in listed[0]
    rows = command(folder, "accounts", "list", "--json", account="mara", password=GOOD).stdout.splitlines()
    mara, told = (json.loads(row) for row in rows)
    assert (mara["locked_until"], mara["failures"]) == (None, 0)
    assert (told["name"], told["failures"]) == ("olga", 10)
    assert told["locked_until"] in olga
    with closing(sqlite3.connect(folder / SIGN_INS)) as held:
        ((until,),) = held.execute("SELECT until FROM failures WHERE name = 'olga' AND kind = 'account'")
    assert abs(datetime.fromisoformat(told["locked_until"]).timestamp() - until) <= 1


def test_a_command_counts_the_same_failures_and_a_manager_unlocks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five tries of a command and five on the pages are ten; who is let in may open it, and an operator may not."""
    monkeypatch.setattr(accounts, "_COST", 2**4)
    for name, role in (("mara", "manager"), ("olga", "operator")):
        added(tmp_path / "accounts.toml", name, (role,), GOOD)
    for _ in range(5):
        done = command(tmp_path, "accounts", "list", account="olga", password=BAD)
        assert (done.exit_code, done.stdout) == (4, "")
        assert "no account with this name and password" in done.stderr
        passed(tmp_path, 60)
    with closing(desk_of(data=tmp_path)) as desk:
        door = SignInDoor(Accounts(tmp_path / "accounts.toml"), Failures(SignInFile(tmp_path)), lambda: desk)
        for _ in range(5):
            with pytest.raises(KeptOutError, match="the password is wrong"):
                door.enter("olga", BAD, HERE)
            passed(tmp_path, 60)
        with pytest.raises(KeptOutError, match="locked for another"):
            door.enter("olga", GOOD, THERE)
    done = command(tmp_path, "accounts", "password", "olga", account="olga", password=GOOD)
    assert (done.exit_code, "locked for another" in done.stderr) == (4, True), done.stderr
    shows_the_lock(tmp_path)
    done = command(tmp_path, "accounts", "unlock", "olga", account="mara", password=GOOD)
    assert (done.exit_code, "may sign in again" in done.stderr) == (0, True), done.output
    assert "locked" not in command(tmp_path, "accounts", "list", account="mara", password=GOOD).stdout
    done = command(tmp_path, "accounts", "unlock", "mara", account="olga", password=GOOD)
    assert (done.exit_code, "may not keep accounts" in done.stderr) == (4, True), done.output
    done = command(tmp_path, "accounts", "password", "olga", account="olga", password=GOOD)
    assert done.exit_code == 0, done.output
    done = command(tmp_path, "accounts", "unlock", "eve", account="mara", password=GOOD)
    assert (done.exit_code, "no account eve" in done.stderr) == (2, True)
    with closing(desk_of(data=tmp_path)) as desk:
        records = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    [lock] = [each for each in records if isinstance(each, SignInLocked)]
    [unlock] = [each for each in records if isinstance(each, SignInUnlocked)]
    assert (lock.of, unlock.account, unlock.by) == ("olga", "olga", "mara")


def test_no_backup_holds_a_session_or_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restored backup would bring sessions back that their users have ended since."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    pit = tmp_path / "pit"
    runner = CliRunner()
    assert (
        runner.invoke(main, ["ingest", str(ROOT / "docs/examples/openings.jsonl"), "--data", str(pit)]).exit_code == 0
    )
    Failures(SignInFile(pit)).begin("olga", HERE, known=True)
    (pit / "room/other").write_text("something that is kept")
    done = runner.invoke(main, ["backup", "--out", str(tmp_path / "backup.tar"), "--data", str(pit)])
    assert done.exit_code == 0, done.output
    with tarfile.open(tmp_path / "backup.tar") as held:
        names = held.getnames()
    assert [name for name in names if "room/" in name] != []
    assert not [name for name in names if SIGN_INS in name]


def test_the_password_of_nobody_costs_as_much_as_a_wrong_one(house: House) -> None:
    assert house.door.enter("mara", GOOD) == Person("mara", ("manager",))
    assert house.tries("", "") == house.tries("mara")
