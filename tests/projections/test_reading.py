"""Readers: any number, in this process and others, each with a generation that stays as it was opened."""

import subprocess
import sys
import threading
import time
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest

from projections.changes import Changes
from projections.digests import digests
from projections.reading import GenerationReader, opened
from projections.store import Store
from projections.troubles import NothingPublishedError
from tests.projections.numbered import STREAMS, batch, project
from tests.projections.rows import a_round
from tests.projections.segments import close_segment

ROOT = Path(__file__).parents[2]
DAY = "T7/2026-11-18"


def generations(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.rglob("generations/*"))


def test_what_was_published_is_read_with_its_moment_and_positions(tmp_path: Path) -> None:
    moment = datetime(2026, 11, 18, 21, 10, 0, 5, tzinfo=UTC)
    with Store.open(tmp_path) as store:
        store.commit(batch(1))
        store.publish(moment)
        store.commit(batch(2))
        with opened(tmp_path) as reading:
            assert reading.made_at == moment
            assert reading.positions == {"facts/0": 1, "findings/0": 1}
            assert reading.query("SELECT count(*) FROM rounds") == [(1,)]


def test_nothing_is_published_where_nothing_changed(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.publish() is not None
        assert store.publish() is None
        store.commit(batch(1))
        assert store.publish() is not None


def test_while_nothing_comes_the_same_generation_is_confirmed_and_nothing_else_is(tmp_path: Path) -> None:
    early, later = datetime(2026, 11, 18, 21, tzinfo=UTC), datetime(2026, 11, 18, 22, tzinfo=UTC)
    with Store.open(tmp_path) as store:
        assert not store.confirm(early)
        store.commit(batch(1))
        store.publish(early)
        before = generations(tmp_path)
        assert store.confirm(later)
        assert generations(tmp_path) == before
        with opened(tmp_path) as reading:
            assert reading.made_at == later
        store.commit(batch(2))
        assert not store.confirm(later)  # more was committed than is published


def test_a_folder_without_a_generation_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(NothingPublishedError, match="catwalk project"):
        opened(tmp_path)


def test_readings_keep_what_they_hold_and_let_go_what_they_held(tmp_path: Path) -> None:
    """Three generations at once in one process, two readings of one of them; files go when nobody names them."""
    with Store.open(tmp_path) as store:
        held: list[tuple[GenerationReader, dict[str, str]]] = []
        for number in range(1, 31):
            store.commit(batch(number))
            if number % 4 == 0:
                close_segment(store, kept=0)
            if number % 6 == 0:
                store.seal(STREAMS[0])
                store.compact()
            store.publish()
            if number in (3, 13, 13, 23):
                held += [(opened(tmp_path), digests(store)), (opened(tmp_path), digests(store))]
        for reading, expected in held:
            assert digests(reading) == expected
        assert len(generations(tmp_path)) == 4
        for reading, _ in held:
            reading.close()
        store.commit(batch(31))
        store.publish()
        assert len(generations(tmp_path)) == 1
        named = {path for (path,) in store.query("SELECT path FROM catwalk.files")}
        assert {str(each.relative_to(tmp_path / "1")) for each in tmp_path.rglob("*.parquet")} == named


def test_a_killed_reader_holds_nothing(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.commit(batch(1))
        store.publish()
        code = (
            "import sys, time; from pathlib import Path; from projections.reading import opened;"
            " r = opened(Path(sys.argv[1])); print(r.generation, flush=True); time.sleep(60)"
        )
        with subprocess.Popen(
            [sys.executable, "-c", code, tmp_path], cwd=ROOT, stdout=subprocess.PIPE, text=True
        ) as reader:
            assert reader.stdout
            assert reader.stdout.readline() == "1\n"
            store.commit(batch(2))
            store.publish()
            assert generations(tmp_path) == ["00000001.duckdb", "00000002.duckdb"]
            reader.kill()
        store.commit(batch(3))
        store.publish()
        assert generations(tmp_path) == ["00000003.duckdb"]


_BESIDE = """
import sys
import time
from pathlib import Path
from projections.reading import opened
from tests.projections.test_kills import Expected, agrees
from projections.troubles import NothingPublishedError

folder, last = Path(sys.argv[1]), int(sys.argv[2])
expected, before, looked = Expected(), 0, 0
while True:
    try:
        reading = opened(folder)
    except NothingPublishedError:
        time.sleep(0.05)
        continue
    with reading:
        assert reading.generation >= before, "an older generation after a newer"
        before = reading.generation
        agrees(reading, reading.positions, expected)
        looked += 1
        if reading.positions.get("facts/0", 0) >= last:
            break
    time.sleep(0.05)
print(looked)
"""


def test_readers_beside_a_projector_see_one_moment_each_time(tmp_path: Path) -> None:
    """Two processes and two threads read all the while; rows and positions agree, and no generation is older."""
    last, troubles, looked = 8, [], []

    def read() -> None:
        newest = 0
        try:
            while newest < last:
                try:
                    first, second = opened(tmp_path), opened(tmp_path)
                except NothingPublishedError:
                    time.sleep(0.05)
                    continue
                with first, second:
                    assert second.generation >= first.generation
                    position = first.positions.get("facts/0", 0)
                    assert position >= newest
                    newest = position
                    said = first.query("SELECT coalesce(max(says::INTEGER), 0) FROM findings")
                    assert said == [(position,)]
                    looked.append(position)
                time.sleep(0.05)
        except BaseException as error:
            troubles.append(error)

    beside = [
        subprocess.Popen(
            [sys.executable, "-c", _BESIDE, tmp_path, str(last)], cwd=ROOT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    project(tmp_path, last)
    for thread in threads:
        thread.join()
    answers = [process.communicate(timeout=180)[0] for process in beside]
    assert troubles == []
    assert looked
    assert all(int(answer) > 0 for answer in answers)


def test_a_question_about_one_day_opens_only_its_files(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for stream in ("T1/2026-11-17", "T2/2026-11-17", "T1/2026-11-18"):
            changes = Changes()
            a_round(changes, stream, 1, 1)
            store.commit(changes)
            store.seal(stream)
        store.publish()
    with opened(tmp_path) as reading:
        day = (date(2026, 11, 17), date(2026, 11, 17))
        assert len(reading.files("rounds")) == 3
        assert [each.name for each in reading.files("rounds", day, ["T1"])] == ["rounds-T1-1.parquet"]
        assert reading.query(f"SELECT stream FROM {reading.source('rounds', day, ['T1'])}") == [("T1/2026-11-17",)]
        assert reading.query(f"SELECT stream FROM {reading.source('rounds', day, ['T9'])}") == []


def test_what_is_not_sealed_is_looked_through_only_for_streams_that_may_be_there(tmp_path: Path) -> None:
    sealed, closed, fresh = "T1/2026-11-17", "T1/2026-11-18", "T2/2026-11-18"
    with Store.open(tmp_path) as store:
        for stream in (sealed, closed, fresh):
            changes = Changes()
            a_round(changes, stream, 1, 1)
            store.commit(changes)
            if stream == sealed:
                store.seal(stream)
            if stream == closed:
                close_segment(store, kept=0)
        store.publish()
    with opened(tmp_path) as reading:
        for streams in ([sealed], [closed], [fresh], [sealed, closed, fresh], ["T9/2026-11-18"]):
            source = reading.source_of("player_days", streams)
            there = {stream for (stream,) in reading.query(f"SELECT stream FROM {source}")}
            assert there == set(streams) - {"T9/2026-11-18"}
            assert ("segments/" in source) == (closed in streams)
            assert ('main."hands"' in source) == bool({closed, fresh} & set(streams))


@pytest.mark.parametrize(("all_of_it", "threads"), [(False, 1), (True, 3)])
def test_a_question_takes_one_processor_and_who_reads_everything_all(
    tmp_path: Path, all_of_it: bool, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store.open(tmp_path) as store:
        store.commit(batch(1))
        store.publish()
    connect = duckdb.connect

    def on_three(name: str, config: dict[str, Any]) -> duckdb.DuckDBPyConnection:
        return connect(name, config=config | {"threads": 3})

    monkeypatch.setattr(duckdb, "connect", on_three)
    with opened(tmp_path, all_of_it=all_of_it) as reading:
        assert reading.query("SELECT current_setting('threads')") == [(threads,)]


def test_a_reader_cannot_write(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.commit(batch(1))
        store.publish()
    with opened(tmp_path) as reading, pytest.raises(Exception, match="read-only"):
        reading.connection.execute("DELETE FROM published.rounds")
