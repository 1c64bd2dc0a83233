"""The demonstration: its parts start by themselves in a folder that keeps accounts, and its exports are signed."""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from consumers.accounts.asker import AS, PASSWORD_FILE
from consumers.command import main
from consumers.desk.opening import open_desk
from consumers.logs.opening import findings_log
from consumers.room import ExportAsked, NoExportError, RefusedError, RoomVisit, opened
from consumers.signing.words import SIGNER, SOCKET
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from domain.desk.roles import Person
from projections.reading import opened as reading
from tests.room.browser import free_port
from tests.up.running import environments_of_pages, no_room_has_a_key, proved, started, until

pytestmark = pytest.mark.xdist_group("demonstration")

MARA = RoomVisit(Person("mara", ("manager",)), "m")
ADAM = RoomVisit(Person("adam", ("auditor",)), "a")


class Demo(NamedTuple):
    """The demonstration's folder, its output, and whether it is running."""

    data: Path
    said: Path
    runs: Callable[[], bool]

    def until(self, true: Callable[[], object]) -> None:
        """Wait for something."""
        until(true, self.said, self.runs)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    folder = tmp_path_factory.mktemp("demonstration")
    data = folder / "demo"
    words = ("--tables", "2", "--ahead", "30", "--pace", "60", "--seed", "11", "--port", str(free_port()))
    with started(folder, "demo", *words, "--data", str(data)) as runs:
        yield Demo(data, folder / "said", runs)


def follows(data: Path) -> bool:
    """Whether the watcher has found something, the projector has published it, and a head is signed."""
    if not (data / "read/current").exists() or not (data / "trust").exists():
        return False
    with closing(findings_log(data=data)) as found, reading(data / "read") as held:
        published = held.query("SELECT count(*) FROM findings")[0][0]
        return found.last_position(0) > 0 and int(str(published)) > 0


def test_watcher_projector_and_keeper_follow_where_accounts_are_kept_and_nobody_is_shown_anything(demo: Demo) -> None:
    demo.until(lambda: follows(demo.data))
    assert (demo.data / "accounts.toml").exists()
    with closing(open_desk(demo.data, {})) as desk:
        rows = [decode(bytes(row.state)) for row in desk.recorder.select_notifications(1, 1_000)]
    assert not [row for row in rows if isinstance(row, Accessed | AccessRefused)]
    asked = CliRunner().invoke(main, ["ask", "floor", "--data", str(demo.data)], env={AS: None, PASSWORD_FILE: None})
    assert (asked.exit_code, asked.stdout) == (4, "")


def rounds(data: Path) -> list[str]:
    """The rounds that are over and published, once the tree has begun and the signer listens."""
    if not all((data / each).exists() for each in ("read/current", "trust", SOCKET)):
        return []
    with reading(data / "read") as held:
        return [f"{stream}:{number}" for stream, number in held.query("SELECT stream, round FROM rounds ORDER BY 1, 2")]


def test_an_export_is_ordered_and_signed_in_the_demonstration(demo: Demo, tmp_path: Path) -> None:
    """The demonstration's pages are those of `catwalk up` (test_signed.py), so the test asks a room of this process."""
    demo.until(lambda: rounds(demo.data))
    room = opened({"CATWALK_DATA": str(demo.data), SIGNER: str(demo.data / SOCKET)}).room
    asked = ExportAsked(hand=rounds(demo.data)[0], recipient="The board", purpose="a dispute")
    orders: list[str] = []

    def ordered() -> bool:
        with suppress(NoExportError):  # until a checkpoint has the whole round
            orders.append(room.order_export(MARA, "order", asked).order)
        return bool(orders)

    demo.until(ordered)
    with pytest.raises(RefusedError, match="another person has to sign"):
        room.sign_export(MARA, orders[0], "own", print)
    room.sign_export(ADAM, orders[0], "signs", print)
    demo.until(lambda: environments_of_pages(demo.data))
    no_room_has_a_key(demo.data)
    proved(demo.data, tmp_path)
