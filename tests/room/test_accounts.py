"""Accounts in a file: the right password, and nothing else, gives a person and its roles."""

import hashlib
from pathlib import Path

import pytest

from consumers.accounts import accounts
from consumers.accounts.accounts import Accounts, AccountsError, added, hashed, read
from domain.desk.roles import Person

GOOD = "a long enough one"


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """A password that costs next to nothing; what it costs is shown below."""
    monkeypatch.setattr(accounts, "_COST", 2**4)


@pytest.fixture
def file(tmp_path: Path, cheap: None) -> Path:
    """A file with two accounts."""
    made = tmp_path / "accounts.toml"
    added(made, "ann", ("operator",), GOOD)
    added(made, "bob.smith", ("manager", "investigator"), GOOD)
    return made


def test_the_right_password_gives_the_person_with_their_roles(file: Path) -> None:
    held = Accounts(file)
    assert held.person("ann", GOOD) == Person("ann", ("operator",))
    assert held.person("bob.smith", GOOD) == Person("bob.smith", ("investigator", "manager"))


@pytest.mark.parametrize(("user", "password"), [("ann", "another long one"), ("ann", ""), ("eve", GOOD), ("", "")])
def test_whatever_else_gives_nobody(file: Path, user: str, password: str) -> None:
    assert Accounts(file).person(user, password) is None


def test_a_changed_file_is_read_anew_and_a_removed_account_is_gone(file: Path) -> None:
    held = Accounts(file)
    assert held.person("ann", GOOD)
    added(file, "ann", ("operator",), "quite another one")
    assert held.person("ann", GOOD) is None
    assert held.person("ann", "quite another one")


def test_the_file_is_its_owner_s_alone_and_holds_no_password(file: Path) -> None:
    assert file.stat().st_mode & 0o077 == 0
    assert GOOD not in file.read_text()
    assert hashed(GOOD) != hashed(GOOD)


def test_a_password_is_kept_as_slowly_as_owasp_asks() -> None:
    salt = bytes(16)
    kept = hashlib.scrypt(GOOD.encode(), salt=salt, n=2**15, r=8, p=3, dklen=32, maxmem=2**27)
    assert hashed(GOOD, salt) == f"{salt.hex()}:{kept.hex()}"


BAD = {
    'x = "': "cannot be read",
    '[ann]\nroles = ["operator"]': "password",
    '[ann]\nroles = ["emperor"]\npassword = "{right}"': "unknown role emperor",
    '[ann]\nroles = ["operator"]\npassword = "secret"': "password",
    '[ann]\nroles = ["operator"]\npassword = "aa:bb"': "password",
    '[ann]\nroles = ["operator"]\npassword = "{right}"\nshoe = 1': "shoe",
}


@pytest.mark.parametrize("text", BAD)
def test_a_spoilt_file_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    made = tmp_path / "accounts.toml"
    made.write_text(text.replace("{right}", hashed(GOOD)))
    with pytest.raises(AccountsError, match=BAD[text]):
        read(made)


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(AccountsError, match="accounts add"):
        Accounts(tmp_path / "none.toml").person("ann", GOOD)


REFUSED = [("a b", ("operator",), GOOD), ("ann", (), GOOD), ("ann", ("king",), GOOD), ("ann", ("operator",), "short")]


@pytest.mark.parametrize(("user", "roles", "password"), REFUSED)
def test_no_account_is_written_that_could_not_be_read(
    tmp_path: Path, user: str, roles: tuple[str, ...], password: str
) -> None:
    with pytest.raises(AccountsError):
        added(tmp_path / "accounts.toml", user, roles, password)
    assert not list(tmp_path.iterdir())
