"""A table that plays one game today and another tomorrow: an export of one game has its other days by their openings."""

from pathlib import Path
from typing import Any

import pytest

from consumers.exporting import selecting
from consumers.exporting.tables import TableExport
from consumers.trust.keeper import begin, open_keeper
from domain.watch.record import FindingRaised
from projections.export.question import Scope
from tests.export.pits import ENVIRONMENT, NOW, ORIGIN, Pit, run
from tests.export.verified import of_a_record

pytestmark = pytest.mark.xdist_group("export")

GAMES = ("UTH-MD", "COL", "COL", "UTH-MD", "UTH-MD")
DAYS = [f"2026-11-{18 + number}" for number in range(len(GAMES))]
SCOPE = Scope(days=(DAYS[0], DAYS[-1]), games=("UTH-MD",))


@pytest.fixture(scope="module")
def changing(tmp_path_factory: pytest.TempPathFactory) -> Pit:
    """One table, five days, two games."""
    folder = tmp_path_factory.mktemp("games") / "pit"
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ENVIRONMENT.items():
            patch.setenv(name, value)
        for day, game in zip(DAYS, GAMES, strict=True):
            played = ("--tables", "1", "--hours", "1", "--games", game, "--seed", day[-2:])
            run("simulate", *played, "--start", day, "--data", str(folder))
        run("watch", "--once", "--quiet", "--data", str(folder))
        begin(folder, ORIGIN, NOW)
        run("checkpoint", "--data", str(folder))
        with open_keeper(folder) as keeper:
            size = max(keeper.sizes())
    nothing = FindingRaised(finding="f", code="c", severity="review", says="s", clauses=(), trigger=1, known_by=1, at=0, source="s", source_key="k")  # fmt: skip
    return Pit(folder, "", 0, "", nothing, "", (size, size))


def test_days_of_another_game_are_no_days_left_out(changing: Pit, tmp_path: Path) -> None:
    found = of_a_record(changing, tmp_path / "a.tar", SCOPE)
    assert found.startswith("sound in itself "), found
    assert "3 streams of facts are complete up to the checkpoint" in found


def test_a_day_of_the_game_that_is_left_out_is_missed(
    changing: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Shown by its opening alone, as days of other games are."""
    honest = selecting._by_days

    def by_days(record: Any, found: selecting.Selection) -> None:
        honest(record, found)
        found.whole.discard(f"T1/{DAYS[3]}")

    monkeypatch.setattr(selecting, "_by_days", by_days)
    found = of_a_record(changing, tmp_path / "a.tar", SCOPE)
    assert f"T1/{DAYS[3]} was requested whole but is shown in part" in found


def test_a_day_of_another_game_that_is_not_there_at_all_is_missed(
    changing: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game of such a day is unknown."""
    honest = TableExport._besides
    monkeypatch.setattr(TableExport, "_besides", lambda *of: honest(*of) - {f"T1/{DAYS[1]}"})
    found = of_a_record(changing, tmp_path / "a.tar", SCOPE)
    assert f"T1/{DAYS[2]} follows T1/{DAYS[1]}, which is left out" in found
