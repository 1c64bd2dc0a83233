"""Every command has decided who may run it: as on the pages, what nobody granted is denied, and that is on record."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.desk.asker import AS, PASSWORD_FILE, user
from consumers.desk.commands import SHOW, SHOW_NOTHING
from consumers.desk.opening import open_desk
from consumers.gateway.keys import PASSPHRASE
from consumers.room.accounts import added
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from domain.desk.roles import RIGHTS, ROLES, Person, Right
from domain.facts.envelope import Fact
from projections.reading import opened as reading
from tests.room.browser import PASSWORD
from tests.room.conftest import record

__all__ = ["record"]

pytestmark = pytest.mark.xdist_group("room")

# The command, as it can be run here | rights it takes beside its own
TRIED = """
accounts add eve --role operator                   |
accounts list                                      |
accounts remove eve                                |
ask blast --deck T1-deck-1                         |
ask cards                                          |
ask dealer dealer-1                                |
ask decks T1                                       |
ask errors                                         |
ask findings                                       |
ask findings --player WHO                          | see-players
ask floor                                          |
ask hold                                           |
ask meters                                         |
ask openers                                        |
ask player WHO                                     |
ask round T1/2026-11-18:2                          |
ask round T1 --player WHO                          | see-players
ask round T1 --card Ah                             | see-hidden-cards
ask staff                                          |
ask staff --person dealer-1                        | see-people
ask statistics                                     |
ask troubles                                       |
ask undecided                                      |
ask undecided --wagers -t T1                       | see-hands
backup --out OUT/backup.tar                        |
dead-letters list                                  |
dead-letters list --json                           | see-hidden-cards see-players
dead-letters show 1                                | see-hidden-cards see-players
dispute T1 --round 2 --out OUT/pack.tar            |
export --list                                      |
log copy --from-data PIT --to-data OUT/copy        |
reconstruct T1 --round 2                           |
reconstruct T1 --player WHO                        | see-players
replay --without wager-overpaid -t T2              |
sql -c SELECT<1                                    |
vault put OUT/people.jsonl                         |
vault show WHO --purpose why                       |
vault list                                         |
vault erase WHO --purpose why                      |
verify-log --table T2 --cores 1                    |
watch --once                                       |
"""


def leaves(command: click.Command, name: str = "") -> Iterator[str]:
    """Every command that can be run."""
    if not isinstance(command, click.Group):
        yield name
        return
    for each, inner in command.commands.items():
        yield from leaves(inner, f"{name} {each}".strip())


def test_every_command_has_decided_whether_it_shows_something_of_the_record() -> None:
    assert sorted([*SHOW, *SHOW_NOTHING]) == sorted(leaves(main))
    assert all(SHOW_NOTHING.values()), "who is not asked who they are has a reason"


def test_every_command_that_shows_something_is_tried_here() -> None:
    assert {name_of(row) for row in TRIED.strip().splitlines()} == set(SHOW)


def name_of(row: str) -> str:
    """The command of a row."""
    words = row.partition("|")[0].split()
    return next(" ".join(words[:length]) for length in (1, 2) if " ".join(words[:length]) in SHOW)


@pytest.fixture(scope="module")
def house(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a house with an account for each role."""
    folder = tmp_path_factory.mktemp("house")
    shutil.copytree(record, folder / "pit")
    for role in ROLES:
        added(folder / "pit/accounts.toml", role, (role,), PASSWORD)
    (folder / "given").write_text(PASSWORD)
    (folder / "wrong").write_text("something else")
    (folder / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    run(folder, ["vault", "put", str(folder / "people.jsonl")], "investigator")
    return folder


def run(house: Path, words: list[str], who: str = "", file: str = "given") -> Result:
    """A command on the house's record, as somebody."""
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
    with reading(house / "pit/read") as held:
        player = str(held.query("SELECT min(player) FROM player_days WHERE player <> ''")[0][0])
    out.mkdir(exist_ok=True)
    (out / "people.jsonl").write_text('{"player": "p-1", "name": "Jo Doe"}\n')
    filled = row.partition("|")[0].replace("WHO", player).replace("PIT", str(house / "pit")).replace("OUT", str(out))
    return [word.replace("<", " ") for word in filled.split()]


def granted(row: str, role: str) -> bool:
    """Whether this role may run it."""
    also = [right for right in RIGHTS if right in row.partition("|")[2].split()]
    rights: list[Right] = [SHOW[name_of(row)].right, *also]
    person = Person(role, tuple(each for each in ROLES if each == role))
    return all(person.may(right) for right in rights)


@pytest.mark.parametrize("row", TRIED.strip().splitlines(), ids=lambda row: row.partition("|")[0].strip())
def test_an_operator_is_refused_at_what_it_is_refused_on_the_pages(house: Path, tmp_path: Path, row: str) -> None:
    before = len(told(house))
    done = run(house, words_of(row, house, tmp_path / "out"), "operator")
    [first, *_] = told(house)[before:]
    assert isinstance(first, Accessed | AccessRefused)
    assert (first.by, first.role) == ("operator", "operator")
    if granted(row, "operator"):
        assert done.exit_code != 4, done.output
        assert isinstance(first, Accessed)
    else:
        assert (done.exit_code, done.stdout) == (4, "")
        assert "operator (operator) may not" in done.stderr
        assert isinstance(first, AccessRefused)
        assert [file.name for file in (tmp_path / "out").iterdir()] == ["people.jsonl"]


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
    ("who", "file", "says"),
    [
        ("", "given", "say who you are with --as"),
        ("manager", "wrong", "do not belong together"),
        ("nobody", "given", "do not belong together"),
        ("manager", "nowhere", "cannot be read"),
    ],
)
def test_once_accounts_are_kept_nobody_is_let_in_without_one(house: Path, who: str, file: str, says: str) -> None:
    done = run(house, ["ask", "floor"], who, file)
    assert (done.exit_code, done.stdout) == (4, "")
    assert says in done.stderr
    refused = told(house)[-1]
    assert isinstance(refused, AccessRefused)
    assert (refused.by, refused.what, refused.role) == (user(), "sign-in", "")
    assert refused.of == ("manager" if who == "manager" and file == "wrong" else "no account of the folder")


def test_without_accounts_the_owner_of_the_files_is_who_they_say(house: Path, tmp_path: Path) -> None:
    shutil.copytree(house / "pit", tmp_path / "pit", ignore=shutil.ignore_patterns("accounts.toml"))
    assert run(tmp_path, ["ask", "hold"]).exit_code == 0
    looked = told(tmp_path)[-1]
    assert isinstance(looked, Accessed)
    assert (looked.by, looked.role) == (user(), "")


def test_an_operator_sees_backs_where_an_investigator_sees_faces(house: Path) -> None:
    shown = {who: run(house, ["reconstruct", "T1", "--round", "2"], who) for who in ("operator", "investigator")}
    assert "you may not see them" in shown["operator"].stdout
    assert "was dealt to seat" not in shown["operator"].stdout
    assert "was dealt to seat" in shown["investigator"].stdout
    assert "left out" in shown["operator"].stderr
    assert "left out" not in shown["investigator"].stderr
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
