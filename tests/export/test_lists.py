"""The lists a regulator asks for, in an export: the same that `catwalk ask` answers from the read models."""

import csv
import re
import shutil
import tarfile
from collections.abc import Callable, Iterator
from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from consumers.exporting import making
from consumers.exporting.staging import Staging
from projections.export import statistics
from projections.export.openers import rows_of as opened
from projections.export.question import BadQuestionError, Scope, checked
from projections.export.told import ListedTableDay
from projections.export.zones import told, zone_of
from projections.questions.card_record import card_record
from projections.questions.errors import settled_wrongly
from projections.questions.openers import openers
from projections.questions.statistics import statistics as asked_statistics
from projections.reading import opened as reading
from tests.export.delivered import verify
from tests.export.pits import DAYS, Pit, exported, run
from tests.projections.hand_made import HandMade

pytestmark = pytest.mark.xdist_group("export")
ALL = Scope(days=(DAYS[0], DAYS[2]), to_date=True)
LAST = Scope(days=(DAYS[2], DAYS[2]), to_date=True)


Answers = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def answers(pit: Pit, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    """A question asked of the read models of the whole record, in a copy of it."""
    folder = tmp_path_factory.mktemp("asked") / "pit"
    shutil.copytree(pit.folder, folder)
    assert run("project", "--once", "--data", str(folder)).exit_code == 0
    first, last = map(date.fromisoformat, (DAYS[0], DAYS[2]))
    with reading(folder / "read") as held:

        def ask(question: Callable[..., list[Any]], **asked: Any) -> list[dict[str, Any]]:
            return [msgspec.to_builtins(row) for row in question(held, first=first, last=last, **asked)]

        yield ask


def rows(file: Path, table: str) -> list[dict[str, str]]:
    with tarfile.open(file) as whole:
        member = next(each for each in whole.getmembers() if each.name.endswith(f"/data/tables/{table}.csv"))
        text = whole.extractfile(member).read().decode()  # type: ignore[union-attr]
    return list(csv.DictReader(StringIO(text, newline="")))


@pytest.fixture(scope="module")
def bundle(pit: Pit, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("all") / "all.tar"
    exported(pit, ALL, file, pit.sizes[1])
    return file


def same(here: list[dict[str, str]], there: list[dict[str, Any]], *names: str) -> None:
    """Row by row, with empty cells for what nobody knows."""
    assert [[row[name] for name in names] for row in here] == [
        [_cell(row.get(name)) for name in names] for row in there
    ]
    assert here


def _cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def by_stream(answered: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(answered, key=lambda row: (row["table"], row["gaming_day"]))


def test_openers_are_those_that_are_answered(bundle: Path, answers: Answers) -> None:
    there = by_stream(answers(openers, every=True))
    amounts = ("closer_cents", "opener_cents", "difference_cents")
    same(rows(bundle, "openers"), there, "table", "gaming_day", "closed_on", *amounts, "duty")


def test_the_card_record_is_the_one_that_is_answered(bundle: Path, answers: Answers) -> None:
    there = by_stream(answers(card_record))
    columns = ("table", "gaming_day", "what", "round", "deck", "cards", "rounds_since_count", "method", "device", "by")
    same(rows(bundle, "card_record"), there, *columns, "findings")
    assert any(row["findings"] for row in there)


def test_errors_are_those_that_are_answered(bundle: Path, answers: Answers) -> None:
    there = by_stream(answers(settled_wrongly))
    columns = ("table", "gaming_day", "round", "dealer", "seat", "player", "wager", "staked_cents", "owed_cents")
    amounts = ("back_cents", "to_player_cents", "by_player_cents", "clause", "basis", "findings")
    # The wagers of a seat stand in the order of the round in the export, and in that of their names in the answer.
    here = sorted(
        rows(bundle, "errors"),
        key=lambda row: (*(row[name] for name in columns[:2]), int(row["round"]), row["seat"], row["wager"]),
    )
    same(here, there, *columns, *amounts)
    assert any(row["findings"] for row in there)


def test_statistics_are_those_that_are_answered(bundle: Path, answers: Answers) -> None:
    there = [{**row, "by": by} for by in ("game", "table") for row in answers(asked_statistics, by=by)]
    there.sort(key=lambda row: (row["gaming_day"], row["by"], row["of"], row["period"]))
    columns = ("gaming_day", "by", "of", "period", "table_days", "counted", "drop_cents", "win_cents", "base")
    same(rows(bundle, "statistics"), there, *columns, "base_table_days")


def test_what_reaches_back_behind_the_days_shown_is_the_same_as_where_they_are_shown(
    pit: Pit, bundle: Path, tmp_path: Path
) -> None:
    """The last day alone: its openers and its figures to date are those of the whole, and the verifier tells them apart."""
    exported(pit, LAST, tmp_path / "last.tar", pit.sizes[1])
    for table in ("openers", "statistics"):
        whole = [row for row in rows(bundle, table) if row["gaming_day"] == DAYS[2]]
        assert rows(tmp_path / "last.tar", table) == whole
    with (tmp_path / "last.tar").open("rb") as file:
        line = "\n".join(verify.verify(file, verify.Asked()).lines)
    assert "8 figures to date in statistics, which include days that are not here" in line
    assert "the closers before" not in line


# days asked for | figures to date that the bundle cannot derive, of three days of two games and two tables
REACH = """
2026-11-18 2026-11-20 | 24
2026-11-01 2026-11-20 | 12
2026-01-01 2026-11-20 | 0
- -                   | 0
"""


@pytest.mark.parametrize("row", REACH.strip().splitlines())
def test_figures_to_date_are_derived_where_their_period_lies_in_what_was_asked(
    pit: Pit, tmp_path: Path, row: str
) -> None:
    asked, _, believed = row.partition("|")
    first, last = asked.split()
    scope = Scope(tables=("T1", "T2"), days=None if first == "-" else (first, last), to_date=True)
    exported(pit, scope, tmp_path / "x.tar", pit.sizes[1])
    with (tmp_path / "x.tar").open("rb") as file:
        line = "\n".join(verify.verify(file, verify.Asked()).lines)
    assert "the holds that statistics are compared with, and the notes about the comparison" in line
    found = re.search("([0-9]+) figures to date in statistics, which include days that are not here", line)
    assert int(found[1] if found else 0) == int(believed)


def test_days_outside_are_gone_on_with_where_they_were_stopped(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interruption behind the first table's days outside, or behind any stream, leaves the same bytes."""
    exported(pit, LAST, tmp_path / "whole.tar", pit.sizes[1])

    class StoppedError(Exception):
        pass

    class Stopping(Staging):
        def done(self, place: str, *, now: bool = False) -> None:
            super().done(place, now=True)
            if place == "4 outside T1":
                raise StoppedError

    with monkeypatch.context() as patched:
        patched.setattr(making, "Staging", Stopping)
        with pytest.raises(StoppedError):
            exported(pit, LAST, tmp_path / "x.tar", pit.sizes[1])
    exported(pit, LAST, tmp_path / "x.tar", pit.sizes[1])
    assert (tmp_path / "x.tar").read_bytes() == (tmp_path / "whole.tar").read_bytes()


def test_figures_to_date_are_of_whole_days() -> None:
    with pytest.raises(BadQuestionError, match="whole days"):
        checked(Scope(player="p-1", to_date=True))


def _years() -> Iterator[ListedTableDay]:
    """Forty days last year of $1,000 with $300 or $100 won in turn; three this year, the last without its counts."""
    for number in range(40):
        day = f"2025-{3 + number // 28:02d}-{1 + number % 28:02d}"
        won = 30_000 if number % 2 else 10_000
        yield ListedTableDay(f"T7/{day}", "UTH-MD", drop_cents=100_000, win_cents=won, shown=False)
    yield ListedTableDay("T7/2026-01-05", "UTH-MD", drop_cents=100_000, win_cents=20_000, shown=False)
    yield ListedTableDay("T7/2026-11-02", "UTH-MD", drop_cents=100_000, win_cents=60_000)
    yield ListedTableDay("T7/2026-11-03", "UTH-MD", drop_cents=50_000)


def test_a_hold_is_set_beside_the_year_before_as_it_is_answered() -> None:
    """Interval and note among them: the export's own sums, and those of the database."""
    with HandMade() as made:
        for day in _years():
            put = {"table": day.table, "gaming_day": day.gaming_day}
            made.put("tables", book=day.game, zone="America/New_York", **put)
            made.put("money", drop_cents=day.drop_cents, win_cents=day.win_cents, **put)
        there = [row for row in asked_statistics(made, by="table") if str(row.gaming_day) == "2026-11-03"]
        there = asked_statistics(made, by="table", first=there[0].gaming_day.replace(day=2))
    here = [row for row in statistics.rows_of(_years(), to_date=True) if row[1] == "table"]
    assert [[*row[3:9], *row[9:]] for row in here] == [
        [
            *(row.period, row.table_days, row.counted, _known(row.drop_cents), _known(row.win_cents)),
            *(_points(row.hold), row.base, row.base_table_days, _points(row.base_hold)),
            *(_points(row.low_hold), _points(row.high_hold)),
            *("" if row.inside is None else str(row.inside).lower(), row.note),
        ]
        for row in there
    ]
    assert any("To investigate: a hold of 60.0% is above" in str(row[-1]) for row in here)


def _known(value: int | None) -> int | str:
    return "" if value is None else value


def _points(hold: float | None) -> int | str:
    return "" if hold is None else round(hold * 10_000)


# opener, closer before | duty
DUTIES = """
10000 10000 |
10001 10000 | report at once
12500 10000 | report at once
12501 10000 | signed report
1 10000     | signed report
0 10000     | signed report, copy to the regulator
20000 10000 | signed report, copy to the regulator
"""


@pytest.mark.parametrize("row", DUTIES.strip().splitlines())
def test_a_duty_goes_by_the_difference(row: str) -> None:
    amounts, _, duty = row.partition("|")
    opener, closer = map(int, amounts.split())
    days = [
        ListedTableDay("T7/2026-11-17", closer_cents=closer, shown=False),
        ListedTableDay("T7/2026-11-18", opened_at=1_795_036_205_000_001, opener_cents=opener),
    ]
    (made,) = opened(days, zone_of("UTC"))
    at = told(1_795_036_205_000_001, zone_of("UTC"))
    assert made == (
        "T7/2026-11-18",
        "T7",
        "2026-11-18",
        at,
        "2026-11-17",
        closer,
        opener,
        opener - closer,
        duty.strip(),
    )


def test_what_is_not_on_record_is_said() -> None:
    days = [ListedTableDay("T7/2026-11-17", opener_cents=5), ListedTableDay("T7/2026-11-18", opener_cents=5)]
    nobody = msgspec.structs.replace(days[1], stream="T7/2026-11-19", opener_cents=None)
    assert [row[-1] for row in opened([*days, nobody], zone_of("UTC"))] == [
        "first day on record",
        "the previous closer is not on record",
        "the opener is not on record",
    ]
