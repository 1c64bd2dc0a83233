"""Exports made by an insider's own software: it leaves out, or puts in, what the question does not say, and signs it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from consumers.exporting import selecting
from projections.export import chosen
from projections.export.day import FoldedStream
from projections.export.question import Scope
from tests.export import attacks, scenes
from tests.export.pits import Pit
from tests.export.verified import of_a_record
from tests.export.verified import outcome as of_bundle

pytestmark = pytest.mark.xdist_group("export")


@pytest.fixture
def hand(pit: Pit) -> Scope:
    return Scope(hand=f"{pit.corrected}:2")


def test_a_hand_is_shown_from_its_opening_to_the_seal_over_its_end(pit: Pit, hand: Scope, tmp_path: Path) -> None:
    """So its seal is over records that are here, and what no seal covers is counted."""
    found = of_a_record(pit, tmp_path / "a.tar", hand)
    assert "seals by the gateway's keys hold" in found.partition("NOT PROVED")[0]
    assert "seals over records that are not here" not in found
    assert "that the question covers no other round" in found.partition("NOT PROVED")[2]


def without(which: Callable[[FoldedStream, set[int]], set[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves some records out of those that are shown of a stream."""
    honest = chosen.shown_of

    def shown_of(day: FoldedStream, facts: Any, rounds: Any, besides: Any) -> set[int]:
        shown = honest(day, facts, rounds, besides)
        return shown - which(day, shown)

    monkeypatch.setattr(chosen, "shown_of", shown_of)


def test_a_record_left_out_amid_a_hand_is_missed(
    pit: Pit, hand: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(lambda day, _: {day.rounds[2].first + 3} if 2 in day.rounds else set(), monkeypatch)
    found = of_a_record(pit, tmp_path / "a.tar", hand)
    assert found.startswith("refused "), found
    assert "is left out of round 2, which is shown" in found


def test_a_hand_without_its_opening_or_its_end_is_said_to_be_so(
    pit: Pit, hand: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without(lambda day, _: {day.rounds[2].first} if 2 in day.rounds else set(), monkeypatch)
    found = of_a_record(pit, tmp_path / "a.tar", hand)
    assert found.startswith("refused ") or "all of 1 rounds of streams in part" in found


def test_a_seal_over_a_record_that_is_not_here_is_said_to_say_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The signature holds, and nobody sees over what."""
    site, honest = attacks.honest().site, scenes._in_part
    (closed, seal) = (len(site.records["facts", f"property/{scenes.DAYS[0]}"]) - back for back in (1, 0))

    def in_part(of: scenes.Records) -> scenes.Parts:
        found = honest(of)
        return {place: [*parts, seal] if parts else parts for place, parts in found.items()}

    monkeypatch.setattr(scenes, "_in_part", in_part)
    assert closed == seal - 1
    said = of_bundle(scenes.exported(site, attacks.shown(site.records)))
    assert "NOT PROVED: " in said
    assert "1 seals over records that are not here: they hold, but cover no record that is here" in said
    assert "1 seals over" not in of_bundle(attacks.honest())


def test_another_hand_than_the_one_asked_for_is_refused(
    pit: Pit, hand: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = selecting.selected

    def selected(record: Any, scope: Scope, reader: str) -> selecting.Selection:
        found = honest(record, scope, reader)
        found.rounds = {stream: {3} for stream in found.rounds}
        return found

    monkeypatch.setattr("consumers.exporting.making.selected", selected)
    assert ", but other rounds are shown" in of_a_record(pit, tmp_path / "a.tar", hand)


def test_rounds_of_another_player_are_refused(pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = chosen.rounds_with
    monkeypatch.setattr(chosen, "rounds_with", lambda day, player: honest(day, player) | set(sorted(day.rounds)[:1]))
    somebody = Scope(player="nobody-at-all")
    assert "who has no hand in round" in of_a_record(pit, tmp_path / "a.tar", somebody)


def test_a_round_of_a_player_left_out_is_told_as_not_proved(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole days alone show such a round; the verdict says so in plain words."""
    honest = chosen.rounds_with
    monkeypatch.setattr(chosen, "rounds_with", lambda day, player: set(sorted(honest(day, player))[1:]))
    found = of_a_record(pit, tmp_path / "a.tar", Scope(player=pit.player))
    assert f"that {pit.player} played no other rounds: a missing round leaves no gap" in found


def test_another_finding_than_the_one_asked_for_is_refused(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = selecting.selected
    monkeypatch.setattr(
        "consumers.exporting.making.selected",
        lambda record, scope, reader: honest(record, Scope(hand=f"{pit.corrected}:2"), reader),
    )
    found = of_a_record(pit, tmp_path / "a.tar", Scope(finding=pit.finding.finding))
    assert f"the question asks for finding {pit.finding.finding}, which is missing" in found


def test_a_day_left_out_between_two_others_is_missed(pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = f"T1/{pit.corrected.partition('/')[2]}"
    honest = selecting._by_days

    def by_days(record: Any, found: selecting.Selection) -> None:
        honest(record, found)
        found.whole.discard(left_out)

    monkeypatch.setattr(selecting, "_by_days", by_days)
    found = of_a_record(pit, tmp_path / "a.tar", Scope(tables=("T1",)))
    assert found.startswith("refused "), found
