"""A row that stands twice in the read models is refused, or told with its place and what to do."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from consumers.command import main
from projections.changes import Changes, Dead, Row
from projections.folding import day as folding
from projections.schema import SCHEMA
from projections.store.committing import WrittenTwiceError
from projections.store.store import Store
from tests.projecting.sites import Site, found_in, project
from tests.watching.pits import Pit


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    made = Site(tmp_path / "pit")
    facts = Pit(4, tables=2, days=2, rounds=2).record()
    made.tell(facts, found_in(facts))
    yield made
    made.close()


def catwalk(*words: str) -> Result:
    return CliRunner().invoke(main, words)


def test_a_rebuild_that_would_hold_a_row_twice_is_refused_and_the_old_stays(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = project(site)
    lawful = folding.rows_of

    def rows_of(*told: Any) -> Any:
        made = lawful(*told)
        return replace(made, wagers=[*made.wagers, made.wagers[0]])

    with monkeypatch.context() as patched:
        patched.setattr(folding, "rows_of", rows_of)
        ran = catwalk("rebuild", *site.options)
    assert ran.exit_code == 2, ran.output
    assert (
        f"{site.read}: the rebuilt read models are rejected because the table wagers holds T1/2026-11-18 round 1"
        in ran.output
    )
    assert " 2 times, and 7 other rows more than once" in ran.output
    assert "report this message" in ran.output
    assert site.digests() == before
    assert catwalk("rebuild", *site.options).exit_code == 0


def _row(store: Store, table: str) -> Row:
    """The first row of a table, as a batch takes it."""
    columns = ", ".join(
        f'epoch_us("{column.name}")' if column.type == "TIMESTAMP" else f'"{column.name}"'
        for column in SCHEMA[table].columns
    )
    return store.query(f"SELECT {columns} FROM {store.source(table)} ORDER BY ALL LIMIT 1")[0]  # noqa: S608


@pytest.mark.parametrize("table", ["rounds", "handling", "staff"])
def test_a_row_that_stands_twice_is_told_by_the_doctor_and_cured_by_a_rebuild(site: Site, table: str) -> None:
    whole = project(site)
    doctor = ("doctor", "--patience", "9999999", *site.options)
    assert catwalk(*doctor).exit_code == 0
    with Store.open(site.read) as store:
        row = _row(store, table)
        once_more = Changes(rows={table: [row]}) if SCHEMA[table].kind == "round" else Changes()
        if SCHEMA[table].kind == "day":
            once_more.replace(row[0], table, [row, row])
        store.commit(once_more)
        store.publish()
    ran = catwalk(*doctor)
    assert ran.exit_code == 1, ran.output
    assert f"{site.read}: the table {table} holds T1/2026-11-18 " in ran.output
    assert "The record is not affected. Run `catwalk rebuild` to make the read models" in ran.output
    ran = catwalk("rebuild", *site.options)
    assert ran.exit_code == 1, ran.output
    assert f"in the previous read models the table {table} holds T1/2026-11-18 " in ran.output
    assert site.digests() == whole
    assert catwalk(*doctor).exit_code == 0


def test_a_batch_that_writes_a_day_anew_twice_under_one_edition_is_refused(site: Site) -> None:
    """Rows of one edition do not take each other's place, so that all of them would stand twice."""
    before = project(site)
    with Store.open(site.read) as store:
        batch = Changes(dead=[Dead("T1/2026-11-18", None, 9_999), Dead("T1/2026-11-18", None, 9_999)])
        with pytest.raises(WrittenTwiceError, match="T1/2026-11-18 is written 2 times under edition 9999"):
            store.commit(batch)
    assert site.digests() == before
