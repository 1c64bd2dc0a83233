"""A file with a secret that other users may read is refused wherever it is read, with the mode it needs."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.accounts.accounts import Accounts, AccountsError, added
from consumers.command import main
from consumers.commands import up
from consumers.desk.opening import PASSWORD_FILE as DESK_PASSWORD_FILE
from consumers.desk.opening import DeskPlaceError, open_desk
from consumers.gateway.keys import PASSPHRASE, PASSPHRASE_FILE, KeyTroubleError, passphrase
from consumers.kafka.settings import KafkaSettingsError, ScramOverTls, password_of
from consumers.private import SecretError, read_secret
from consumers.up.checking import check
from consumers.up.configuration import parts, read
from consumers.up.sign_in import ConfigurationError, Service, write_secrets

SECRET = "a long enough one"  # noqa: S105 - a test's
FILE = """
[record]
data = "pit"
passphrase_file = "passphrase"
[gateway]
socket = "pit.sock"
[watch]
[room]
port = 8600
accounts = "accounts.toml"
"""
SIGN_IN = """[room.sign_in]
metadata = "https://id.example"
address = "https://room.example"
client_id = "catwalk"
client_secret_file = "client"
"""
SIGNER = '[record]\ndata = "pit"\n[signer]\n'
DESK = '[desk]\ndbname = "catwalk"\npassword_file = "desk"\n[signer]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("CATWALK_", "POSTGRES_"))]:
        monkeypatch.delenv(name)
    for name in ("passphrase", "password", "client", "desk"):
        Path(name).write_text(SECRET)
    added(Path("accounts.toml"), "mara", ("manager",), SECRET)
    return tmp_path


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o700])
def test_a_file_of_its_owner_s_alone_is_read(mode: int) -> None:
    Path("password").chmod(mode)
    assert read_secret(Path("password")) == SECRET.encode()


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o602])
def test_a_file_that_others_may_open_is_refused_with_the_mode_it_needs(mode: int) -> None:
    Path("password").chmod(mode)
    says = rf"password holds a secret, but other users .* \(mode {mode:04o}\)\. It needs mode 0600: chmod 600 password"
    with pytest.raises(SecretError, match=says):
        read_secret(Path("password"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives a file away")
def test_a_file_that_another_owner_lends_by_its_group_is_read_as_systemd_s_credentials_are() -> None:
    os.chown("password", 1, -1)
    for mode in (0o440, 0o640, 0o400):
        Path("password").chmod(mode)
        assert read_secret(Path("password")) == SECRET.encode()
    Path("password").chmod(0o444)
    with pytest.raises(SecretError, match="It needs mode 0640: chmod 640 password"):
        read_secret(Path("password"))


def test_what_is_no_file_is_read_as_it_comes() -> None:
    read, write = os.pipe()
    os.write(write, SECRET.encode())
    os.close(write)
    assert read_secret(Path(f"/dev/fd/{read}")) == SECRET.encode()
    os.close(read)


def _service() -> None:
    write_secrets(Service("https://id.example", "https://room.example", "catwalk", "client"), Path(), Path("pit"))


def _cookie() -> None:
    _service()
    Path("pit/room/cookie-secret").chmod(0o644)
    _service()


# Where a secret is read: the file, how it is read, what ends it
PLACES: Mapping[str, tuple[str, Callable[[], object], type[Exception]]] = {
    "passphrase": ("passphrase", lambda: passphrase({PASSPHRASE_FILE: "passphrase"}), KeyTroubleError),
    "desk": (
        "desk",
        lambda: open_desk(Path(), {"POSTGRES_DBNAME": "catwalk", DESK_PASSWORD_FILE: "desk"}),
        DeskPlaceError,
    ),
    "kafka": (
        "password",
        lambda: password_of(ScramOverTls(Path("ca"), "gateway", password_file=Path("password"))),
        KafkaSettingsError,
    ),
    "service": ("client", _service, ConfigurationError),
    "cookie": ("", _cookie, ConfigurationError),
    "accounts": ("accounts.toml", lambda: Accounts(Path("accounts.toml")).person("mara", SECRET), AccountsError),
}


@pytest.mark.parametrize("place", PLACES)
def test_each_place_that_reads_a_secret_refuses_an_open_file(place: str) -> None:
    file, reads, error = PLACES[place]
    if file:
        Path(file).chmod(0o644)
    with pytest.raises(error, match=r"\(mode 0644\)\. It needs mode 0600: chmod 600"):
        reads()


# The open file, the words of a command that reads it, its status
COMMANDS = [
    ("passphrase", "witness make audit.test --folder audit", 2),
    ("passphrase", "vault put people.jsonl --data pit", 2),
    ("password", "accounts add olga --role operator --password-file password --data pit", 2),
    ("password", "accounts list --as mara --own-password-file password --file accounts.toml --data pit", 4),
    ("accounts.toml", "accounts list --as mara --own-password-file password --file accounts.toml --data pit", 2),
]


@pytest.mark.parametrize(("file", "words", "status"), COMMANDS)
def test_each_command_refuses_an_open_file(file: str, words: str, status: int) -> None:
    Path("people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    Path("pit/record").mkdir(parents=True)
    Path("pit/record/facts.sqlite").touch()
    Path(file).chmod(0o644)
    done = CliRunner().invoke(main, words.split(), env={PASSPHRASE_FILE: "passphrase"})
    assert done.exit_code == status, done.output
    assert f"{file} holds a secret" in done.output
    assert f"chmod 600 {file}" in done.output


# What is wrong with a file of `catwalk up`: the text of it, what is done to a secret, what is said
UP: list[tuple[str, Callable[[], object], str]] = [
    (FILE, lambda: Path("passphrase").unlink(), "passphrase cannot be read: No such file or directory"),
    (FILE, lambda: Path("passphrase").chmod(0o644), "chmod 600"),
    (FILE, lambda: Path("passphrase").write_text("\n"), "passphrase is empty"),
    (FILE, lambda: Path("accounts.toml").chmod(0o640), "chmod 600"),
    (FILE + SIGN_IN, lambda: Path("client").unlink(), "client cannot be read: No such file or directory"),
    (FILE + DESK, lambda: Path("desk").chmod(0o604), "chmod 600"),
    (SIGNER, lambda: None, "[signer] needs the passphrase of the keys: name its file as passphrase_file in [record]"),
    ('[record]\nkafka = "none.toml"\nstate = "pit"\n[watch]\n', lambda: None, "none.toml: No such file"),
]


@pytest.mark.parametrize(("text", "spoil", "says"), UP)
def test_up_says_once_which_secret_it_lacks_and_starts_nothing(
    monkeypatch: pytest.MonkeyPatch, text: str, spoil: Callable[[], object], says: str
) -> None:
    monkeypatch.setattr(up, "supervise", lambda *_: pytest.fail("parts were started"))
    Path("up.toml").write_text(text)
    spoil()
    done = CliRunner().invoke(main, ["up", "up.toml"])
    told = " ".join(done.output.split())
    assert done.exit_code == 2, told
    assert told.count(says) == 1
    assert told.endswith("Nothing was started")
    assert not Path("pit").exists()


def test_one_part_alone_needs_only_its_own_secrets(folder: Path) -> None:
    """The pages run where the file of the passphrase is hidden from them."""
    Path("up.toml").write_text(FILE)
    found = read(Path("up.toml"))
    named = {part.name: part for part in parts(found, folder)}
    Path("passphrase").unlink()
    check(found, [named["room"]], folder)
    with pytest.raises(ConfigurationError, match="no passphrase for the keys"):
        check(found, [named["gateway"]], folder)


def test_the_pages_are_told_of_no_passphrase_that_up_was_given_by_its_environment(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("up.toml").write_text(FILE.replace('passphrase_file = "passphrase"\n', ""))
    for variable, value in ((PASSPHRASE, SECRET), (PASSPHRASE_FILE, "passphrase")):
        monkeypatch.setenv(variable, value)
        told = {part.name: part.environment for part in parts(read(Path("up.toml")), folder)}
        assert told["gateway"][variable] == value
        assert variable not in told["room"]
