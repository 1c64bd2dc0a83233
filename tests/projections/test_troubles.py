"""Every fault is reported with its place and what to do; nothing is lost, and a rebuild cures it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from projections.digests import digests
from projections.reading import opened
from projections.store import Store
from projections.troubles import DamagedError, OtherVersionError, OwnedError, ReplacedError
from tests.projections.numbered import batch
from tests.projections.segments import close_segment

ROOT = Path(__file__).parents[2]


def kept(folder: Path, up_to: int) -> None:
    """Read models with this many batches, a segment, a sealed day and a generation."""
    with Store.open(folder) as store:
        for number in range(1, up_to + 1):
            store.commit(batch(number))
        close_segment(store, kept=1)
        store.seal("T1/2026-11-17")
        store.publish()


def rebuilt(folder: Path, up_to: int) -> None:
    with Store.open(folder, rebuilding=True) as store:
        for number in range(1, up_to + 1):
            store.commit(batch(number))
        assert store.publish() is None
        store.take_over()


def test_a_second_projector_is_refused(tmp_path: Path) -> None:
    with Store.open(tmp_path), pytest.raises(OwnedError, match="another projector owns"):
        Store.open(tmp_path)
    Store.open(tmp_path).close()


def test_a_damaged_working_file_is_cured_by_a_rebuild(tmp_path: Path) -> None:
    kept(tmp_path, 12)
    work = tmp_path / "1" / "work.duckdb"
    work.write_bytes(os.urandom(20_000))
    with pytest.raises(DamagedError, match="catwalk rebuild") as told:
        Store.open(tmp_path)
    assert str(tmp_path) in str(told.value)
    with opened(tmp_path) as reading:
        before = digests(reading)
    rebuilt(tmp_path, 12)
    with opened(tmp_path) as reading:
        after = digests(reading)
        assert {name for name in before if before[name] != after[name]} == set()
    assert [each.name for each in tmp_path.iterdir() if each.is_dir()] == ["2"]


def test_a_segment_that_is_gone_is_said_when_the_store_opens(tmp_path: Path) -> None:
    kept(tmp_path, 12)
    next(tmp_path.rglob("segments/rounds-*.parquet")).unlink()
    with pytest.raises(DamagedError, match=r"rounds-1.parquet.*missing.*catwalk rebuild"):
        Store.open(tmp_path)


@pytest.mark.parametrize("spoilt", [lambda whole: whole[: len(whole) // 2], lambda whole: b"\0" * 512 + whole[512:]])
def test_a_sealed_file_that_is_cut_off_or_overwritten_is_said(tmp_path: Path, spoilt: Callable[[bytes], bytes]) -> None:
    kept(tmp_path, 12)
    file = next(tmp_path.rglob("days/*/tables/rounds-*.parquet"))
    with Store.open(tmp_path) as store:
        rounds = f"SELECT count(DISTINCT stream || round) FROM {store.source('rounds')}"
        assert store.query(rounds)
        file.write_bytes(spoilt(file.read_bytes()))
        with pytest.raises(DamagedError, match="catwalk rebuild"):
            store.query(rounds)


def test_snapshots_that_are_gone_are_said_to_readers_and_published_again(tmp_path: Path) -> None:
    kept(tmp_path, 12)
    shutil.rmtree(tmp_path / "1" / "generations")
    with pytest.raises(Exception, match="catwalk project"):
        opened(tmp_path)
    with Store.open(tmp_path) as store:
        assert store.publish() is not None
    with opened(tmp_path) as reading:
        assert reading.positions["facts/0"] == 12


def test_a_damaged_snapshot_is_said(tmp_path: Path) -> None:
    kept(tmp_path, 12)
    next(tmp_path.rglob("generations/*.duckdb")).write_bytes(b"x" * 20_000)
    with pytest.raises(DamagedError, match="catwalk rebuild"):
        opened(tmp_path)


def test_read_models_of_another_version_are_not_read(tmp_path: Path) -> None:
    kept(tmp_path, 3)
    with Store.open(tmp_path) as store:
        store.query("UPDATE catwalk.about SET version = 'older'")
        store.commit(batch(4))
        store.publish()
    with pytest.raises(OtherVersionError, match="catwalk rebuild"):
        Store.open(tmp_path)
    with pytest.raises(OtherVersionError, match="catwalk rebuild"):
        opened(tmp_path)
    rebuilt(tmp_path, 4)
    opened(tmp_path).close()


def test_a_projector_that_was_replaced_by_a_rebuild_says_so(tmp_path: Path) -> None:
    """The rebuild goes on beside it; readers of the old build keep it."""
    kept(tmp_path, 6)
    with Store.open(tmp_path) as store:
        reading = opened(tmp_path)
        rebuilt(tmp_path, 8)
        store.commit(batch(7))
        with pytest.raises(ReplacedError, match="Start `catwalk project` again"):
            store.publish()
    assert reading.positions["facts/0"] == 6
    assert reading.query("SELECT count(*) FROM rounds") == [(6,)]
    with opened(tmp_path) as newer, Store.open(tmp_path) as store:
        assert newer.generation > reading.generation
        assert newer.positions["facts/0"] == 8
        assert store.positions()["facts/0"] == 8
    reading.close()


_FULL = """
import resource, sys
from pathlib import Path
from projections.store import Store
from projections.troubles import DiskFullError
from tests.projections.numbered import batch
from tests.projections.segments import close_segment

store = Store.open(Path(sys.argv[1]))
limit = int(sys.argv[2])
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
taken = 12
try:
    for number in range(13, 3000):
        store.commit(batch(number))
        taken = number
        if sys.argv[3] == "publish":
            store.publish()
        elif sys.argv[3] == "segment":
            close_segment(store, kept=0)
except DiskFullError as error:
    print(taken)
    print(error)
"""


@pytest.mark.parametrize(("kib", "what"), [(200, "commit"), (300, "publish"), (2, "segment")])
def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path, kib: int, what: str) -> None:
    kept(tmp_path, 12)
    ran = subprocess.run(
        [sys.executable, "-c", _FULL, tmp_path, str(kib * 1024), what],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    taken, said = ran.stdout.split("\n", 1)
    assert "the disk is full" in said
    assert str(tmp_path) in said
    with opened(tmp_path) as reading:
        assert 12 <= reading.positions["facts/0"] <= int(taken)
    with Store.open(tmp_path) as store:
        reached = store.positions()["facts/0"]
        assert reached >= int(taken)
        store.publish()
        before = digests(store)
    rebuilt(tmp_path, reached)
    with opened(tmp_path) as reading:
        assert digests(reading) == before
