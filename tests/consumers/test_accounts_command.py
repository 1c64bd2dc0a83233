"""`catwalk accounts`: the local file written, listed and mended, each change on record, no password ever shown."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.accounts import accounts
from consumers.accounts.accounts import Accounts
from consumers.command import main
from consumers.desk.opening import open_desk
from domain.desk.access import AccessRefused, AccountAdded, AccountRemoved
from domain.desk.records import decode
from domain.desk.roles import Person
from domain.facts.envelope import Fact

GOOD = "a long enough one"


@pytest.fixture(autouse=True)
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make passwords cheap to check; tests/room/test_accounts.py shows their real cost."""
    monkeypatch.setattr(accounts, "_COST", 2**4)


def run(folder: Path, *words: str, text: str | None = None, given: str = "") -> Result:
    own = folder / "own.txt"
    own.write_text(GOOD)
    environment = {"CATWALK_ACCOUNT_PASSWORD": given or None, "CATWALK_ACCOUNT_PASSWORD_FILE": str(own)}
    new = ("--new",) if words[0] == "add" else ()
    return CliRunner().invoke(main, ["accounts", *words, *new, "--data", str(folder)], input=text, env=environment)


def told(folder: Path) -> list[Fact]:
    with closing(open_desk(folder, {})) as desk:
        return [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 100)]


def test_an_account_is_added_changed_and_removed_and_each_change_stands_on_record(tmp_path: Path) -> None:
    assert run(tmp_path, "add", "ann", "--role", "manager", "--role", "operator", given=GOOD).exit_code == 0
    assert Accounts(tmp_path / "accounts.toml").person("ann", GOOD) == Person("ann", ("operator", "manager"))
    assert run(tmp_path, "add", "ann", "--role", "auditor", "--last", "--as", "ann", given=GOOD).exit_code == 0
    assert Accounts(tmp_path / "accounts.toml").person("ann", GOOD) == Person("ann", ("auditor",))
    assert run(tmp_path, "remove", "ann").exit_code == 0
    assert Accounts(tmp_path / "accounts.toml").person("ann", GOOD) is None
    added, changed, removed = told(tmp_path)
    assert isinstance(added, AccountAdded)
    assert (added.account, added.roles, added.replaced) == ("ann", ("operator", "manager"), False)
    assert isinstance(changed, AccountAdded)
    assert (changed.roles, changed.replaced) == (("auditor",), True)
    assert isinstance(removed, AccountRemoved)
    assert all(getattr(each, "by", "") for each in (added, changed, removed))


@pytest.mark.parametrize("way", ["a file", "standard input", "the environment"])
def test_the_password_comes_from_anywhere_but_the_command_line(tmp_path: Path, way: str) -> None:
    file = tmp_path / "ann.txt"
    file.write_text(f"{GOOD}\n")
    words = ["add", "ann", "--role", "operator"]
    if way == "the environment":
        done = run(tmp_path, *words, given=GOOD)
    else:
        done = run(tmp_path, *words, "--password-file", str(file) if way == "a file" else "-", text=f"{GOOD}\n")
    assert done.exit_code == 0, done.output
    assert Accounts(tmp_path / "accounts.toml").person("ann", GOOD)
    assert GOOD not in done.output
    assert not any(GOOD in str(record) for record in told(tmp_path))


REFUSED = {
    ("add", "ann", "--role", "emperor"): "emperor",
    ("add", "ann"): "needs at least one role",
    ("add", "a b", "--role", "operator"): "not an account name",
    ("add", "ann", "--role", "operator", "--password-file", "/nowhere"): "cannot be read",
    ("remove", "eve"): "no account eve",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_will_not_do_is_told_and_nothing_is_written(tmp_path: Path, words: tuple[str, ...]) -> None:
    run(tmp_path, "add", "bob", "--role", "operator", given=GOOD)
    before = (tmp_path / "accounts.toml").read_bytes()
    done = run(tmp_path, *words, given=GOOD)
    assert done.exit_code == 2
    assert REFUSED[words] in done.output
    assert (tmp_path / "accounts.toml").read_bytes() == before
    assert len(told(tmp_path)) == 1


def test_a_password_that_is_short_or_missing_is_refused(tmp_path: Path) -> None:
    assert "at least" in run(tmp_path, "add", "ann", "--role", "operator", given="short").output
    assert "no password for ann" in run(tmp_path, "add", "ann", "--role", "operator", text="").output
    assert [file.name for file in tmp_path.iterdir()] == ["own.txt"]


def test_accounts_are_listed_with_their_roles_and_nothing_else(tmp_path: Path) -> None:
    run(tmp_path, "add", "bob", "--role", "operator", given=GOOD)
    run(tmp_path, "add", "ann", "--role", "manager", "--role", "auditor", given=GOOD)
    assert [line.split() for line in run(tmp_path, "list", "--as", "ann").stdout.splitlines()] == [
        ["ann", "manager,", "auditor"],
        ["bob", "operator"],
    ]
    rows = [json.loads(line) for line in run(tmp_path, "list", "--json", "--as", "ann").stdout.splitlines()]
    assert rows[0] == {"name": "ann", "roles": ["manager", "auditor"], "locked_until": None, "failures": 0}


def test_without_a_desk_to_write_the_change_down_nothing_changes(tmp_path: Path) -> None:
    (tmp_path / "record/desk.sqlite").mkdir(parents=True)
    done = run(tmp_path, "add", "ann", "--role", "operator", given=GOOD)
    assert done.exit_code == 2
    assert "access log" in done.output
    assert not (tmp_path / "accounts.toml").exists()


def test_once_an_account_may_keep_accounts_nobody_else_does(tmp_path: Path) -> None:
    run(tmp_path, "add", "olga", "--role", "operator", given=GOOD)
    run(tmp_path, "add", "ann", "--role", "manager", given=GOOD)
    before = (tmp_path / "accounts.toml").read_bytes()
    for words in (("add", "olga", "--role", "manager"), ("remove", "ann"), ("list",)):
        for who in ((), ("--as", "olga"), ("--as", "nobody")):
            done = run(tmp_path, *words, *who, given=GOOD)
            assert done.exit_code == 4, done.output
            assert isinstance(told(tmp_path)[-1], AccessRefused)
    assert (tmp_path / "accounts.toml").read_bytes() == before


OTHER = "another long one"


def test_the_last_who_may_keep_accounts_stays_unless_that_is_meant(tmp_path: Path) -> None:
    run(tmp_path, "add", "ann", "--role", "manager", given=GOOD)
    before = (tmp_path / "accounts.toml").read_bytes()
    for words in (("remove", "ann"), ("add", "ann", "--role", "auditor")):
        done = run(tmp_path, *words, "--as", "ann", given=GOOD)
        assert (done.exit_code, "is the last account" in done.stderr, "--last" in done.stderr) == (2, True, True)
        assert (tmp_path / "accounts.toml").read_bytes() == before
    assert run(tmp_path, "add", "bea", "--role", "manager", "--as", "ann", given=GOOD).exit_code == 0
    assert run(tmp_path, "remove", "ann", "--as", "bea").exit_code == 0
    assert run(tmp_path, "remove", "bea", "--as", "bea").exit_code == 2
    assert run(tmp_path, "remove", "bea", "--as", "bea", "--last").exit_code == 0


def test_a_password_is_reset_by_who_keeps_accounts_or_by_its_owner_and_roles_stay(tmp_path: Path) -> None:
    run(tmp_path, "add", "olga", "--role", "operator", "--role", "auditor", given=GOOD)
    run(tmp_path, "add", "ivan", "--role", "investigator", given=GOOD)
    run(tmp_path, "add", "ann", "--role", "manager", given=GOOD)
    file = Accounts(tmp_path / "accounts.toml")
    assert run(tmp_path, "password", "olga", "--as", "ivan", given=OTHER).exit_code == 4
    assert isinstance(told(tmp_path)[-1], AccessRefused)
    assert run(tmp_path, "password", "nobody", "--as", "ann", given=OTHER).exit_code == 2
    assert run(tmp_path, "password", "ivan", "--as", "ivan", given="short").exit_code == 2
    assert file.person("olga", GOOD)
    assert run(tmp_path, "password", "ivan", "--as", "ivan", given=OTHER).exit_code == 0
    assert run(tmp_path, "password", "olga", "--as", "ann", given=OTHER).exit_code == 0
    assert file.person("olga", GOOD) is None
    assert file.person("olga", OTHER) == Person("olga", ("operator", "auditor"))
    assert file.person("ivan", OTHER) == Person("ivan", ("investigator",))
    changed = told(tmp_path)[-1]
    assert isinstance(changed, AccountAdded)
    assert (changed.by, changed.account, changed.roles, changed.replaced) == (
        "ann", "olga", ("operator", "auditor"), True,
    )  # fmt: skip


def test_a_file_that_is_kept_is_kept_from_another_folder_too(tmp_path: Path) -> None:
    """A user who names another folder beside a protected file still has to satisfy that file."""
    house, own = tmp_path / "house", tmp_path / "own"
    house.mkdir()
    own.mkdir()
    run(house, "add", "ann", "--role", "manager", given=GOOD)
    before = (house / "accounts.toml").read_bytes()
    done = run(own, "add", "eve", "--role", "manager", "--file", str(house / "accounts.toml"), given=GOOD)
    assert (done.exit_code, "--as" in done.stderr) == (4, True), done.output
    done = run(house, "add", "eve", "--role", "manager", "--file", str(own / "new.toml"), given=GOOD)
    assert (done.exit_code, (own / "new.toml").exists()) == (4, False), done.output
    assert (house / "accounts.toml").read_bytes() == before
