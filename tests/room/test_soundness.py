"""Record health tells when the record was last signed and when it was last proved."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from consumers.desk.application import DESK_FILE
from consumers.desk.noting import note_proof
from consumers.gateway.keys import PASSPHRASE
from consumers.record_place import RecordOptions
from consumers.room.record import UnverifiedTail
from consumers.trust.keeper import begin, open_keeper
from consumers.trust.running import at_work
from consumers.trust.tree_file import TREE_FILE, newest_head
from domain.facts.codec import decode
from tests.room.conftest import NOON, Rooms
from tests.trust.records import NAME, START, Pit
from tests.trust.test_witness_command import Floor

pytestmark = pytest.mark.xdist_group("record")


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pit]:
    """A record whose property's tree was begun."""
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    made = Pit(tmp_path / "signed").opened()
    begin(made.folder, NAME, START)
    yield made
    made.close()


def test_the_last_checkpoint_is_told_with_its_time_and_its_leaves(rooms: Rooms, pit: Pit) -> None:
    mara = rooms.visit("mara", "manager")
    assert rooms.room.record_health(mara).value.checkpoint.at is None
    rooms.room.tree = pit.folder / TREE_FILE
    before = rooms.room.record_health(mara).value.checkpoint
    pit.rounds("T7", 1)
    pit.looks()
    with at_work(RecordOptions(pit.folder, None, None)) as work:
        work.read(NOON)
        assert work.checkpoint(NOON) is not None
    with open_keeper(pit.folder) as keeper:
        size = keeper.tree.size
    told = rooms.room.record_health(mara).value.checkpoint
    assert (told.at, told.leaves, told.trouble) == (datetime.fromtimestamp(NOON / 1_000_000, UTC), size, "")
    assert told != before


def test_the_read_models_are_behind_by_what_the_record_holds_beyond_them(rooms: Rooms) -> None:
    mara = rooms.visit("mara", "manager")
    assert rooms.room.record_health(mara).value.waiting == UnverifiedTail(0, 0)
    rooms.room.log = rooms.log
    assert rooms.room.record_health(mara).value.waiting == UnverifiedTail(0, 0)
    end = rooms.log.last_position(0)
    times = [decode(stored).at for _, stored in rooms.log.read(0, end - 480, 480)]
    taken = {"facts/0": end - 480}
    with rooms.readings.look() as look:
        look.positions.update(taken)  # as if the projector had come no further
    waiting = rooms.room.record_health(mara).value.waiting
    assert waiting == UnverifiedTail(480, (times[-1] - times[0]) // 1_000_000)
    assert waiting.seconds > 60


def test_a_tree_that_cannot_be_read_is_told_and_the_rest_of_the_page_stands(rooms: Rooms, tmp_path: Path) -> None:
    rooms.room.tree = tmp_path / "tree.sqlite"
    rooms.room.tree.write_bytes(b"no tree" * 100)
    health = rooms.room.record_health(rooms.visit("mara", "manager")).value
    assert "cannot be read as a tree" in health.checkpoint.trouble
    assert health.quality is not None


def test_each_run_of_the_doctor_stands_at_the_desk_and_makes_none(rooms: Rooms, tmp_path: Path) -> None:
    assert rooms.room.record_health(rooms.visit("mara", "manager")).value.proved is None
    assert note_proof(tmp_path / "nowhere", "root", records=1, streams=1, status=0) == ""
    assert not (tmp_path / "nowhere" / DESK_FILE).exists()
    for status in (0, 13):
        assert note_proof(tmp_path, "root", records=480, streams=2, status=status) == ""
    proved = rooms.room.record_health(rooms.visit("mara", "manager")).value.proved
    assert proved is not None
    assert (proved.records, proved.streams, proved.status, proved.sequence) == (480, 2, 13, 2)


def test_who_cosigned_the_last_checkpoint_is_told_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")
    floor = Floor(tmp_path)
    path = floor.folder / "pit" / TREE_FILE

    def cosigners() -> tuple[str, ...]:
        head = newest_head(path)
        return head.cosigners if head is not None else ()

    floor.signed()
    assert cosigners() == ()
    back = floor.sees(floor.shown(0), "--key", floor.key)
    floor.kept("checkpoint", "cosigned", "-", "--witness", floor.witness, given=back.stdout)
    assert cosigners() == ("audit.test",)
    floor.signed()
    assert cosigners() == ()  # of the newest, not of any before it
    floor.pit.close()
