"""The file that says which parts run: each section a process, and whatever is wrong in it said."""

import re
import subprocess
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.accounts.accounts import added
from consumers.accounts.asker import accounts_of
from consumers.command import main
from consumers.commands.accounts import PASSWORD
from consumers.commands.up import demo_command
from consumers.room.signing_in import sign_in_of
from consumers.up.configuration import Configuration, PartProcess, parts, read
from consumers.up.sign_in import ConfigurationError
from domain.simulation.floor import opening_hours, setups
from domain.simulation.houses import GAMES
from domain.simulation.seed import World
from tests.citations import ROOT

PAGE = (ROOT / "docs/operations.md").read_text()
WHOLE = """
[record]
data = "pit"
passphrase_file = "secret"
[gateway]
socket = "pit.sock"
[watch]
[project]
[room]
port = 8600
accounts = "people.toml"
"""


def made(tmp_path: Path, text: str, *, apart: bool = False) -> dict[str, PartProcess]:
    """The parts of a file with this text, by name."""
    file = tmp_path / "pit.toml"
    file.write_text(text)
    return {part.name: part for part in parts(read(file), tmp_path, apart=apart)}


def test_each_section_is_a_part_and_paths_are_meant_from_where_the_file_is(tmp_path: Path) -> None:
    found = made(tmp_path, WHOLE, apart=True)
    assert list(found) == ["gateway", "watch", "project", "room"]
    data = str(tmp_path / "pit")
    assert found["gateway"].command[-5:] == ("gateway", "--socket", str(tmp_path / "pit.sock"), "--data", data)
    assert found["gateway"].environment == {"CATWALK_KEY_PASSPHRASE_FILE": str(tmp_path / "secret")}
    assert found["watch"].command[-4:] == ("watch", "--quiet", "--data", data)
    assert found["watch"].needs == tmp_path / "pit/record/facts.sqlite"
    assert "--server.port=8600" in found["room"].command
    assert found["room"].environment["CATWALK_ACCOUNTS"] == str(tmp_path / "people.toml")
    assert found["room"].needs == tmp_path / "pit/read/current"


def test_facts_are_verified_and_made_into_rows_by_one_process(tmp_path: Path) -> None:
    found = made(tmp_path, WHOLE)
    assert list(found) == ["gateway", "project", "room"]
    assert found["project"].command[-4:] == ("project", "--verify", "--data", str(tmp_path / "pit"))
    assert found["project"].environment == {"CATWALK_KEY_PASSPHRASE_FILE": str(tmp_path / "secret")}
    there = made(tmp_path, '[record]\nkafka = "k.toml"\nstate = "s"\n[watch]\n[project]\n')
    words = ("project", "--verify", "--kafka", str(tmp_path / "k.toml"), "--state", str(tmp_path / "s"))
    assert {name: part.command[-6:] for name, part in there.items()} == {"project": words}


def test_the_limits_of_the_gateways_socket_are_passed_on(tmp_path: Path) -> None:
    limits = "clients = 200\nhalf_line_seconds = 5\nfree_disk_mb = 7\n"
    found = made(tmp_path, WHOLE.replace('socket = "pit.sock"\n', f'socket = "pit.sock"\n{limits}'))
    words = " ".join(found["gateway"].command)
    assert (
        f"gateway --socket {tmp_path / 'pit.sock'} --clients 200 --half-line-seconds 5.0 --free-disk-mb 7 --data"
        in words
    )


def test_what_lies_where_a_part_is_started_is_no_module_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "queue.py").write_text("raise SystemExit(7)")
    found = made(tmp_path, WHOLE, apart=True)
    begun = {found[name].command[:4]: found[name].command for name in ("gateway", "watch", "project")}
    for command in (*begun.values(), found["room"].command):
        asked = subprocess.run([*command, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (asked.returncode, "Usage" in asked.stdout) == (0, True), command
    assert len(begun) == 1  # they differ in nothing but what they are asked


def test_on_the_floor_of_the_demonstration_every_table_is_open_when_the_pages_are() -> None:
    told = {option.name: option.default for option in demo_command.params}
    world = World(told["seed"], told["tables"])
    opens = [opening_hours(world, setup.table, world.start)[0] for setup in setups(world)]
    assert len(opens) == 12
    assert {setup.book for setup in setups(world)} == set(GAMES)
    assert max(opens) - min(opens) < told["ahead"] * 60_000_000 - 1_800_000_000


def test_checkpoints_are_made_every_five_minutes_with_the_passphrase_of_the_keys(tmp_path: Path) -> None:
    record = '[record]\ndata = "pit"\npassphrase_file = "secret"\n'
    part = made(tmp_path, f"{record}[checkpoint]\n")["checkpoint"]
    assert part.command[-5:] == ("checkpoint", "--every", "5m", "--data", str(tmp_path / "pit"))
    assert part.environment == {"CATWALK_KEY_PASSPHRASE_FILE": str(tmp_path / "secret")}
    named = made(tmp_path, f'{record}[checkpoint]\nevery = "30s"\nbegin = "catwalk/riverside"\n')["checkpoint"]
    assert named.command[-6:-2] == ("--every", "30s", "--begin", "catwalk/riverside")


def test_a_part_without_a_section_is_not_started(tmp_path: Path) -> None:
    assert list(made(tmp_path, '[record]\ndata = "pit"\n[watch]\n')) == ["watch"]


def test_a_cluster_has_its_settings_and_a_folder_of_its_own(tmp_path: Path) -> None:
    found = made(tmp_path, '[record]\nkafka = "k.toml"\nstate = "s"\n[watch]\n[project]\n[room]\n', apart=True)
    kafka, state = str(tmp_path / "k.toml"), str(tmp_path / "s")
    assert found["watch"].command[-4:] == ("watch", "--quiet", "--kafka", kafka)
    assert found["project"].command[-5:] == ("project", "--kafka", kafka, "--state", state)
    assert found["watch"].needs is None
    told = {"CATWALK_STATE": state, "CATWALK_KAFKA": kafka}
    assert found["room"].environment.items() >= told.items()


def test_options_of_a_simulated_floor_are_written_as_its_command_takes_them(tmp_path: Path) -> None:
    text = '[record]\ndata = "p"\n[simulate]\ntables = 3\ngames = ["PIK", "COL"]\nkeys = true\npace = 2.5\n'
    command = made(tmp_path, text)["floor"].command
    at = command.index("simulate")
    assert command[at + 1 : -2] == ("--tables", "3", "--games", "PIK,COL", "--keys", "--pace", "2.5")


def test_exports_are_signed_by_a_part_that_has_the_passphrase_and_the_pages_have_none(tmp_path: Path) -> None:
    found = made(tmp_path, f"{WHOLE}[signer]\n")
    assert list(found) == ["gateway", "project", "signer", "room"]
    socket = str(tmp_path / "pit/room/signer.sock")
    assert found["signer"].command[-5:] == ("signer", "--socket", socket, "--data", str(tmp_path / "pit"))
    assert found["signer"].environment == {"CATWALK_KEY_PASSPHRASE_FILE": str(tmp_path / "secret")}
    assert found["room"].environment["CATWALK_SIGNER"] == socket
    assert not [name for name in found["room"].environment if "PASSPHRASE" in name]
    named = made(tmp_path, f'{WHOLE}[signer]\nsocket = "s.sock"\n')
    assert named["room"].environment["CATWALK_SIGNER"] == str(tmp_path / "s.sock")


# Lines in [room] | the address browsers know the pages by | who is believed about where a request comes from
ORIGINS = """
                                                         |                          |
address = "127.0.0.1"                                    |                          |
address = "10.0.0.7"                                     | http://10.0.0.7:8501     |
address = "2001:db8::7"                                  | http://[2001:db8::7]:8501 |
origin = "https://Room.example/"                         | https://room.example     | 127.0.0.1,::1
address = "0.0.0.0"; origin = "https://room.example"     | https://room.example     | 127.0.0.1,::1
origin = "https://room.example"; proxies = ["10.0.0.2"]  | https://room.example     | 10.0.0.2
origin = "http://room.example:8501"; proxies = ["10.0.0.2"] | http://room.example:8501 |
"""


@pytest.mark.parametrize("row", ORIGINS.strip("\n").splitlines())
def test_the_pages_are_known_by_one_address_and_a_proxy_is_believed_only_behind_https(tmp_path: Path, row: str) -> None:
    said, origin, believed = (each.strip() for each in row.split("|"))
    room = made(tmp_path, '[record]\ndata = "pit"\n[room]\n' + said.replace("; ", "\n"))["room"]
    how = sign_in_of(room.environment)
    assert (how.origin, how.secure) == (origin, origin.startswith("https"))
    assert room.environment["FORWARDED_ALLOW_IPS"] == believed


def test_the_address_of_a_sign_in_service_is_the_pages_own(tmp_path: Path) -> None:
    assert sign_in_of(made(tmp_path, SERVICE)["room"].environment).origin == "https://room.example"


WRONG = {
    "x = ": "is not TOML",
    "[watch]": "record",
    "[record]": "name either a data folder",
    '[record]\ndata = "a"\nkafka = "b"': "name either a data folder",
    '[record]\nkafka = "b"': "state folder",
    '[record]\ndata = "a"\n[wach]': "wach",
    '[record]\ndata = "a"\n[room]\nport = "x"': "port",
    '[record]\ndata = "a"\n[room]\naddress = "0.0.0.0"': "set origin",
    '[record]\ndata = "a"\n[room]\norigin = "room.example"': "is not an address such as https",
    '[record]\ndata = "a"\n[room]\norigin = "https://room.example/pages"': "is not an address such as https",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_file_nothing_can_be_started_by_says_what_is_wrong(tmp_path: Path, text: str) -> None:
    with pytest.raises(ConfigurationError, match=WRONG[text]):
        made(tmp_path, text)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="No such file"):
        read(tmp_path / "none.toml")


def test_a_relay_and_a_desk_in_postgresql_are_parts_of_a_record_in_kafka(tmp_path: Path) -> None:
    record = '[record]\nkafka = "k.toml"\nstate = "s"\n'
    found = made(tmp_path, f'{record}[relay]\n[room]\n[desk]\ndbname = "room"\npassword_file = "desk.txt"\n')
    assert found["relay"].command[-5:] == (
        "relay",
        "--kafka",
        str(tmp_path / "k.toml"),
        "--state",
        str(tmp_path / "s"),
    )
    for part in found.values():
        assert part.environment["POSTGRES_DBNAME"] == "room"
        assert part.environment["CATWALK_DESK_PASSWORD_FILE"] == str(tmp_path / "desk.txt")
    with pytest.raises(ConfigurationError, match="needs no relay"):
        made(tmp_path, '[record]\ndata = "pit"\n[relay]\n')


SERVICE = """
[record]
data = "pit"
[room]
hours = 8
[room.sign_in]
metadata = "https://id.example/.well-known/openid-configuration"
address = "https://room.example/"
client_id = "catwalk"
client_secret_file = "client.txt"
roles_claim = "realm_access.roles"
roles = { surveillance = "operator", "internal audit" = "auditor" }
"""


def test_a_sign_in_service_is_told_to_streamlit_in_a_file_only_its_owner_reads(tmp_path: Path) -> None:
    (tmp_path / "client.txt").write_text('a "quoted" secret\n')
    room = made(tmp_path, SERVICE)["room"]
    secrets = tmp_path / "pit/room/secrets.toml"
    assert f"--secrets.files={secrets}" in room.command
    assert "secret" not in str(room.environment).lower()
    assert room.prepare is not None
    room.prepare()
    told = tomllib.loads(secrets.read_text())["auth"]
    assert told["client_secret"] == 'a "quoted" secret'  # noqa: S105
    assert told["redirect_uri"] == "https://room.example/oauth2callback"
    assert len(told["cookie_secret"]) >= 48
    assert all(file.stat().st_mode & 0o077 == 0 for file in secrets.parent.iterdir())
    room.prepare()
    assert tomllib.loads(secrets.read_text())["auth"] == told  # a restart signs nobody out
    how = sign_in_of(room.environment)
    assert (how.most_seconds, how.service, how.roles["surveillance"]) == (8 * 3_600, True, "operator")


def test_a_sign_in_service_whose_secret_is_not_there_starts_nothing(tmp_path: Path) -> None:
    prepare = made(tmp_path, SERVICE)["room"].prepare
    assert prepare is not None
    with pytest.raises(ConfigurationError, match=r"client\.txt"):
        prepare()
    with pytest.raises(ConfigurationError, match="emperor"):
        made(tmp_path, SERVICE.replace('"operator"', '"emperor"'))


@pytest.mark.parametrize("block", re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL))
def test_each_file_of_the_page_on_operations_can_be_read(tmp_path: Path, block: str) -> None:
    assert made(tmp_path, block if "[record]" in block else f'[record]\ndata = "pit"\n{block}') or "[desk]" in block


def test_the_page_on_operations_names_every_part_there_is(tmp_path: Path) -> None:
    sections = set(Configuration.__struct_fields__) - {"simulate"}
    assert {name for name in sections if f"[{name}]" not in PAGE} == set()


def test_commands_ask_by_the_accounts_of_the_room_wherever_they_lie(tmp_path: Path) -> None:
    """A user who forgets to name the file again is checked all the same; nothing of the earlier file remains."""
    pit = tmp_path / "pit"
    added(tmp_path / "people.toml", "mara", ("manager",), "a long enough one")
    assert accounts_of(pit) is None
    for _ in range(2):
        prepare = made(tmp_path, WHOLE)["room"].prepare
        assert prepare is not None
        prepare()
        assert accounts_of(pit) == tmp_path / "people.toml"
    words = ["accounts", "add", "olga", "--role", "operator", "--data", str(pit)]
    done = CliRunner().invoke(main, words, env={PASSWORD: "a long enough one"})
    assert (done.exit_code, "people.toml has accounts: name yours with --as NAME" in done.stderr) == (4, True)
    assert not (pit / "accounts.toml").exists()
    (tmp_path / "people.toml").unlink()
    assert accounts_of(pit) == tmp_path / "people.toml", "a file that is missing lets nobody in"
    without = made(tmp_path, WHOLE.replace('accounts = "people.toml"', ""))["room"].prepare
    assert without is not None
    without()
    assert accounts_of(pit) is None
