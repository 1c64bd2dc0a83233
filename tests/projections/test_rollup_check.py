"""A rollup that is spoilt, short or gone is reported with its place, and never believed."""

from pathlib import Path

import duckdb
import pytest

from projections.reading import opened
from projections.rollup_check import strayed
from projections.rollups import ROLLUPS
from projections.store import Store
from projections.troubles import DamagedError
from tests.projections.floors import STREAMS, Floor

NAMES = [rollup.name for rollup in ROLLUPS]
# Changes to the rows of a file: one is gone, one is extra, one says another number.
SPOILT = {
    "a row is gone": "FROM {file} OFFSET 1",
    "one number is another": "SELECT * REPLACE ({number} + CASE WHEN row_number() OVER (ORDER BY {number} NULLS LAST) = 1 THEN 1 ELSE 0 END"
    " AS {number}) FROM {file}",
    "a row is of another round": "SELECT * REPLACE (DATE '2026-11-01' AS gaming_day, 'T1/2026-11-01' AS stream)"
    " FROM {file} UNION ALL FROM {file}",
}
NUMBERS = {
    "table_days": "rounds",
    "wager_days": "result_cents",
    "player_days": "back_cents",
    "player_wagers": "squares",
    "player_hands": "owed_cents",
    "stays": "last_round",
    "dealer_days": "over_cents",
    "deck_days": "hands",
    "device_days": "uses",
}

pytestmark = pytest.mark.xdist_group("strays")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Days sealed, one corrected after it was, one open."""
    made, floor = tmp_path_factory.mktemp("strays"), Floor(5)
    with Store.open(made) as store:
        for stream in STREAMS * 6:
            store.commit(floor.plays(stream))
        for stream in STREAMS[:-1]:
            store.seal(stream)
        store.commit(floor.plays(STREAMS[1]))
        store.publish()
    return made


def _file(folder: Path, rollup: str) -> Path:
    """A file of a sealed day with rows of this rollup."""
    with opened(folder) as reading:
        return reading.files(rollup)[0]


def in_place(folder: Path, file: Path, query: str) -> None:
    """The file remade by a query, by one who knows how: the manifest has its new length."""
    with duckdb.connect() as db:
        db.execute(("CREATE TABLE told AS " + query).format(file=f"read_parquet('{file}')"))
        db.execute(f"COPY told TO '{file}' (FORMAT parquet)")
    measured(folder, file)


def measured(folder: Path, file: Path) -> None:
    """The manifest says of a file how long it is now."""
    for generation in folder.rglob("generations/*.duckdb"):
        with duckdb.connect(str(generation)) as db:
            named = str(file.relative_to(generation.parents[1]))
            db.execute("UPDATE catwalk.files SET bytes = ? WHERE path = ?", [file.stat().st_size, named])


def test_rollups_of_a_whole_site_say_what_the_rounds_say(folder: Path) -> None:
    assert set(NUMBERS) == set(NAMES)
    with opened(folder) as reading:
        assert strayed(reading) == []


@pytest.mark.parametrize("spoilt", SPOILT)
@pytest.mark.parametrize("rollup", NAMES)
def test_a_spoilt_rollup_is_named_with_its_place(folder: Path, rollup: str, spoilt: str) -> None:
    file = _file(folder, rollup)
    before = file.read_bytes()
    query = SPOILT[spoilt].replace("{number}", NUMBERS[rollup])
    try:
        in_place(folder, file, query)
        with opened(folder) as reading:
            found = strayed(reading)
        assert [each.table for each in found] == [rollup]
        assert found[0].place.startswith("T"), found
    finally:
        file.write_bytes(before)
        measured(folder, file)


@pytest.mark.parametrize("rollup", NAMES)
def test_a_rollup_file_that_is_gone_or_of_another_length_opens_nothing(folder: Path, rollup: str) -> None:
    file = _file(folder, rollup)
    before = file.read_bytes()
    try:
        file.unlink()
        with pytest.raises(DamagedError, match=rf"{file.name}: .*it is missing.*catwalk rebuild"):
            opened(folder)
        file.write_bytes(before + b"\0")
        with pytest.raises(DamagedError, match=rf"{file.name}: .*was written with {len(before):,}.*catwalk rebuild"):
            opened(folder)
    finally:
        file.write_bytes(before)
    opened(folder).close()
