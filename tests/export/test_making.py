"""An export in the making: stopped anywhere and resumed, one process at a time, nothing at FILE before it is whole."""

import itertools
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.commands import watch
from consumers.exporting import making, orders
from consumers.exporting.record import ExportableRecord
from consumers.exporting.staging import Staging, StagingError
from consumers.gateway.keys import KeyStore
from consumers.record_place import KEYS
from consumers.trust.keeper import begin, open_keeper
from projections.export.proofs import DisagreeError
from projections.export.question import Scope
from tests.export import pits
from tests.export.delivered import verify
from tests.export.pits import DAYS, Pit, asked, exported, silent
from tests.export.verified import outcome

pytestmark = pytest.mark.xdist_group("export")
BOTH = Scope(days=(DAYS[0], DAYS[1]))


class Killed(BaseException):
    """The process ends here."""


class Dying(Staging):
    """Work that ends at the n-th thing written, as a kill does it: nothing is marked or closed."""

    left = 0
    every = True  # finished work is marked at once, and not after two seconds

    def _die(self) -> None:
        Dying.left -= 1
        if Dying.left < 0:
            raise Killed

    def put(self, name: str, content: bytes) -> None:
        self._die()
        super().put(name, content)

    def _add(self, name: str, content: bytes) -> None:
        self._die()
        super()._add(name, content[: len(content) // 2])  # torn: half of it is there
        super()._add(name, content[len(content) // 2 :])

    def done(self, place: str, *, now: bool = False) -> None:
        super().done(place, now=self.every)

    def finish(self, whole: Path) -> None:
        self._die()
        super().finish(whole)

    def close(self) -> None:
        if Dying.left < 0:
            self.flush()
            self._lock.close()
            for out in self._open.values():
                out.close()
        else:
            super().close()


@pytest.fixture(scope="module")
def whole(pit: Pit, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("whole") / "x.tar"
    with pytest.MonkeyPatch.context() as patched:
        for name, value in pits.ENVIRONMENT.items():
            patched.setenv(name, value)
        exported(pit, BOTH, file)
    return file.read_bytes()


@pytest.mark.parametrize("kills_at", [(3, 17, True), (20, 31, False)])
def test_killed_again_and_again_it_ends_as_if_nothing_had_happened(
    pit: Pit, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kills_at: tuple[int, int, bool]
) -> None:
    """Each time some writes later; until the end there is nothing at the file, and then the whole."""
    first, more, marks = kills_at
    monkeypatch.setattr(making, "Staging", Dying)
    monkeypatch.setattr(Dying, "every", marks)
    file, kills = tmp_path / "x.tar", 0
    for allowed in itertools.count(first, more):
        Dying.left = allowed
        try:
            exported(pit, BOTH, file)
        except Killed:
            kills += 1
            assert not file.exists()
        else:
            break
    assert kills > 1
    assert file.read_bytes() == whole
    assert not (tmp_path / "x.tar.part").exists()


class Interrupted(Dying):
    """Work that Ctrl-C ends at the n-th thing written: open files are closed in good order, and marked."""

    every = False

    def _die(self) -> None:
        Dying.left -= 1
        if Dying.left == 0:
            raise KeyboardInterrupt

    def close(self) -> None:
        Staging.close(self)


@pytest.mark.parametrize("first", range(9, 90, 9))
def test_stopped_amid_a_stream_it_goes_on_behind_the_stream_before(
    pit: Pit, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    """Rows of the stream in hand stand in the tables already; they are cut off and written again, not twice."""
    file = tmp_path / "x.tar"
    with monkeypatch.context() as patched:
        patched.setattr(making, "Staging", Interrupted)
        Dying.left = first
        with pytest.raises(KeyboardInterrupt):
            exported(pit, BOTH, file)
    assert not file.exists()
    exported(pit, BOTH, file)
    assert file.read_bytes() == whole


def test_what_was_done_is_not_read_again(pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export stopped behind the streams resumes with the files made so far."""
    monkeypatch.setattr(making, "Staging", Dying)
    Dying.left = 10_000
    with monkeypatch.context() as stopped:
        stopped.setattr(making, "finished", _stops)
        with pytest.raises(Killed):
            exported(pit, BOTH, tmp_path / "x.tar")
    read: list[str] = []
    held = ExportableRecord.held
    monkeypatch.setattr(
        ExportableRecord, "held", lambda self, kind, stream: read.append(stream) or held(self, kind, stream)
    )
    exported(pit, BOTH, tmp_path / "x.tar")
    assert read == []


def _stops(*_: object) -> None:
    raise Killed


def _a_cell(part: Path) -> None:
    """Another amount, as long as the one before."""
    table = part / "bag/data/tables/wagers.csv"
    stored = table.read_bytes()
    assert b",1000," in stored
    table.write_bytes(stored.replace(b",1000,", b",9000,", 1))


def _a_record(part: Path) -> None:
    file = next(part.glob("bag/data/facts/T1/*.jsonl"))
    file.write_bytes(file.read_bytes().replace(b'"cents":1000', b'"cents":9000', 1))


def _a_note(part: Path) -> None:
    """The words of a hand in the report."""
    file = part / "hands.jsonl"
    file.write_bytes(file.read_bytes().replace(b":1", b":2", 1))


def _what_is_done(part: Path) -> None:
    """Make the journal claim a table that is shorter."""
    lines = (part / "journal.jsonl").read_bytes().splitlines(keepends=True)
    told = re.sub(rb'("bag/data/tables/rounds.csv":)\d+', rb"\g<1>40", lines[-1])
    assert told != lines[-1]
    (part / "journal.jsonl").write_bytes(b"".join([*lines[:-1], told]))


def _a_file_more(part: Path) -> None:
    (part / "bag/data/tables/players.csv").write_bytes(b"player,name\r\n")


def _a_link(part: Path) -> None:
    """The facts stand elsewhere, where they can be changed later."""
    facts, elsewhere = part / "bag/data/facts", part.with_name("elsewhere")
    facts.rename(elsewhere)
    facts.symlink_to(elsewhere)


@pytest.mark.parametrize("change", [_a_cell, _a_record, _a_note, _what_is_done, _a_file_more, _a_link])
def test_what_somebody_put_into_the_folder_meanwhile_is_never_signed(
    pit: Pit, whole: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    """The work stops behind the streams, another process changes the finished files, and the work resumes."""
    monkeypatch.setattr(making, "Staging", Dying)
    Dying.left = 10_000
    with monkeypatch.context() as stopped:
        stopped.setattr(making, "finished", _stops)
        with pytest.raises(Killed):
            exported(pit, BOTH, tmp_path / "x.tar")
    change(tmp_path / "x.tar.part")
    exported(pit, BOTH, tmp_path / "x.tar")
    assert (tmp_path / "x.tar").read_bytes() == whole


@pytest.mark.parametrize("change", [_a_cell, _a_record, _a_note])
def test_what_somebody_changes_while_it_is_made_is_not_signed(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], None]
) -> None:
    real = making.finished

    def changed(*asked: Any) -> object:
        asked[2].flush()
        change(tmp_path / "x.tar.part")
        return real(*asked)

    monkeypatch.setattr(making, "finished", changed)
    with pytest.raises(StagingError, match="another process changed"):
        exported(pit, BOTH, tmp_path / "x.tar")
    assert not (tmp_path / "x.tar").exists()


def test_a_folder_that_leads_elsewhere_is_not_worked_in(pit: Pit, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "x.tar.part").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StagingError, match="is a link to another place"):
        exported(pit, BOTH, tmp_path / "x.tar")
    assert not list((tmp_path / "elsewhere").iterdir())


def test_another_question_begins_anew_where_one_was_left(pit: Pit, whole: bytes, tmp_path: Path) -> None:
    with asked(pit, Scope(tables=("T1",))) as (question, _, keeper):
        left = Staging(tmp_path / "x.tar", question.stored.decode(), keeper.sign)
        left.add("data/tables/rounds.csv", b"what was begun")
        left.done("2 facts T9/2026-11-18", now=True)
        left.close()
    exported(pit, BOTH, tmp_path / "x.tar")
    assert (tmp_path / "x.tar").read_bytes() == whole


def test_two_processes_do_not_make_one_file(tmp_path: Path) -> None:
    first = Staging(tmp_path / "x.tar", "a question", bytes)
    with pytest.raises(StagingError, match="another process is making"):
        Staging(tmp_path / "x.tar", "a question", bytes)
    first.close()


def test_a_file_that_is_there_is_not_written_over(pit: Pit, tmp_path: Path) -> None:
    (tmp_path / "x.tar").write_bytes(b"somebody's")
    with pytest.raises(StagingError, match="already exists and was not overwritten"):
        exported(pit, BOTH, tmp_path / "x.tar")
    assert (tmp_path / "x.tar").read_bytes() == b"somebody's"


def test_a_record_that_is_not_what_the_checkpoint_says_is_not_exported(pit: Pit, tmp_path: Path) -> None:
    """One byte of one fact, behind everybody's back."""
    stream, folder = f"T2/{DAYS[0]}", tmp_path / "pit"
    shutil.copytree(pit.folder, folder)
    with closing(sqlite3.connect(folder / "record/facts.sqlite")) as db, db:
        last = "SELECT position, state FROM facts WHERE originator_id=? ORDER BY originator_version DESC LIMIT 1"
        position, stored = db.execute(last, (stream,)).fetchone()
        assert b'"key":"T2' in stored
        changed = stored.replace(b'"key":"T2', b'"key":"T3')
        db.execute("UPDATE facts SET state=? WHERE position=?", (changed, position))
    with pytest.raises(DisagreeError, match=f"{stream} differs from the checkpoint"):
        exported(msgspec.structs.replace(pit, folder=folder), BOTH, tmp_path / "x.tar")
    assert not (tmp_path / "x.tar").exists()


def test_a_record_with_bad_seals_is_handed_out_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Findings sealed by our own code with an unregistered key: the export shows them, and its receiver is warned."""
    data = ("--data", str(tmp_path))
    played = ("simulate", "--tables", "1", "--hours", "1", "--games", "UTH-MD", "--seed", "7", "--incidents", "all")
    pits.run(*played, "--start", DAYS[0], *data)
    KeyStore(tmp_path / KEYS).make("watcher", "nobody-told")  # and no fact records it
    monkeypatch.setattr(watch, "signer_of", lambda keys, _: partial(keys.signer, "watcher"))
    pits.run("watch", "--once", "--quiet", *data)
    begin(tmp_path, pits.ORIGIN, pits.NOW)
    pits.run("checkpoint", *data)
    of = Pit(tmp_path, "", 0, "", None, "", (0, 0))  # type: ignore[arg-type]
    with open_keeper(tmp_path) as keeper:
        newest = max(keeper.sizes())
        held = keeper.note(newest)
        key = verify.Key(keeper.key.name, keeper.key.public)
    exported(of, Scope(tables=("T1",)), tmp_path / "x.tar", newest)
    found = outcome((tmp_path / "x.tar").read_bytes(), verify.Asked([key], (), held))
    assert found.startswith("faulty "), found
    told = found.partition("FAULTS: ")[2]
    says = "record 1: the seal is invalid: the property's facts register no key of this name (key 'nobody-told')"
    assert f"data/findings/T1/{DAYS[0]}~.jsonl, line 1, byte 0, T1/{DAYS[0]}~ {says}" in told


def test_an_export_is_recorded_before_it_is_at_its_place(pit: Pit, tmp_path: Path) -> None:
    seen: list[bool] = []
    with asked(pit, Scope(tables=("T1",))) as (question, record, _):
        made = making.make(
            question, record, tmp_path / "x.tar", silent, recorded=lambda _: seen.append((tmp_path / "x.tar").exists())
        )
    assert seen == [False]
    assert made.size == (tmp_path / "x.tar").stat().st_size


def test_an_order_is_named_after_what_is_asked_whoever_signs_it(pit: Pit) -> None:
    with asked(pit, Scope(tables=("T1",))) as (question, _, _):
        unsigned = msgspec.structs.replace(question, signed_by="")
        other = msgspec.structs.replace(unsigned, purpose="another")
    assert orders.order_of(unsigned) != orders.order_of(other)
