"""A small record with things to review, watched and published once, and rooms on it with a desk of their own each."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser

from consumers.accounts.accounts import added
from consumers.command import main
from consumers.desk.application import Desk, desk_of
from consumers.gateway.keys import PASSPHRASE
from consumers.logs.opening import embedded_log
from consumers.record_place import RecordOptions
from consumers.room.hands import Hands
from consumers.room.looking import RoomVisit
from consumers.room.readings import Readings
from consumers.room.room import Room
from consumers.trust.keeper import begin
from consumers.trust.running import at_work
from consumers.watching.finding_hands import verified_day
from domain.desk.roles import Person, Role
from tests.room.browser import PASSWORD, NoBrowserError, Served, browser, served

NOON = 1_795_003_200_000_000
LATER = 1_900_000_000_000_000
PEOPLE: dict[str, Role] = {"olga": "operator", "ivan": "investigator", "mara": "manager", "dave": "device-admin"}


def run(*arguments: str) -> None:
    """A command that ends well, or with findings."""
    result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
    if result.exit_code not in (0, 1):
        raise AssertionError(f"catwalk {' '.join(arguments)} ended with {result.exit_code}: {result.output}")


def recorded(folder: Path, zone: str = "America/New_York", changed: Callable[[str], str] = str) -> Path:
    """Two tables' day with incidents, on record, watched and published; the house's clocks go by this zone.

    What devices said may be changed before it is taken in.
    """
    day, data = folder / "day.jsonl", str(folder / "pit")
    codes = "wager-overpaid,stub-count-mismatch,winner-collected"
    words = ("--cameras", "--incidents", codes, "--labels", f"{day}.labels", "--out", str(day))
    run("simulate", "--tables", "2", "--hours", "10", "--seed", "11", *words)
    day.write_text(changed(day.read_text().replace("America/New_York", zone)))
    run("ingest", "--data", data, str(day))
    run("watch", "--data", data, "--once")
    run("project", "--data", data, "--once")
    return Path(data)


def checkpointed(record: Path, folder: Path) -> Path:
    """A copy of a record with a checkpoint, and the passphrase of its key in a file."""
    made = folder / "pit"
    shutil.copytree(record, made)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(PASSPHRASE, "a passphrase for tests")
        begin(made, "catwalk/test", LATER)
        with at_work(RecordOptions(made, None, None)) as work:
            work.read(LATER)
            work.checkpoint(LATER)
    (made / "passphrase").write_text("a passphrase for tests")
    return made


@pytest.fixture(scope="session")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small record with things to review, made once, whichever folder of tests asks for it first."""
    folder = tmp_path_factory.getbasetemp() / "room"
    if not folder.exists():
        folder.mkdir()
        recorded(folder)
    return folder / "pit"


class Rooms:
    """A room on the record, with a desk of its own, and who is in it."""

    def __init__(self, record: Path, desk_folder: Path) -> None:
        self.desk: Desk = desk_of(data=desk_folder)
        self.log = embedded_log(record)
        self.readings = Readings(record / "read")
        self.time = NOON
        hands = Hands(self.log, lambda stream: verified_day(self.log, stream, data=record))
        self.room = Room(self.readings, self.desk, hands, self._clock)

    def _clock(self) -> int:
        self.time += 1_000_000
        return self.time

    def visit(self, name: str, *roles: Role) -> RoomVisit:
        """A new visitor."""
        return RoomVisit(Person(name, roles), f"visit of {name}")

    def close(self) -> None:
        """Close everything."""
        self.readings.close()
        self.log.close()
        self.desk.close()


@pytest.fixture
def rooms(record: Path, tmp_path: Path) -> Iterator[Rooms]:
    """A room nobody has worked in yet."""
    made = Rooms(record, tmp_path)
    yield made
    made.close()


@pytest.fixture(scope="package")
def pages(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages on a record of their own, for every journey there is."""
    folder = tmp_path_factory.mktemp("pages")
    data = folder / "pit"
    shutil.copytree(record, data)
    for name, role in PEOPLE.items():
        added(folder / "accounts.toml", name, (role,), PASSWORD)
    with served(folder, data) as address:
        yield Served(address, data)


@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    """The browser, or a plain reason why there is none."""
    with ExitStack() as held:
        try:
            made = held.enter_context(browser())
        except NoBrowserError as error:
            if os.environ.get("CI"):
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield made
