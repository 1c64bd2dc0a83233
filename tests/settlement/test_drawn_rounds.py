"""Rounds with every irregularity and every hole: none ends a replay or a stream of cases. `make rounds` draws more."""

import msgspec
import pytest

from domain.games import GAMES
from domain.rulebooks import BOOKS
from domain.settlement import KINDS
from domain.settlement.case_format import read
from domain.settlement.outcome import UNDECIDABLE
from tests.settlement import drawn
from tests.settlement.any_case import any_case

ROUNDS = 120


@pytest.mark.parametrize("book", BOOKS)
def test_every_wager_of_every_drawn_round_is_answered(book: str) -> None:
    part = drawn.drawn(book, 0, ROUNDS, "17")
    assert part.broken == ()
    assert part.unread < ROUNDS / 10


@pytest.mark.parametrize("book", BOOKS)
def test_the_drawn_rounds_have_every_irregularity_with_and_without_holes(book: str) -> None:
    cases = [any_case(book, f"17-{number}") for number in range(3_000)]
    kinds = {(case["irregularity"]["kind"], "??" in str(case["seats"])) for case in cases if "irregularity" in case}
    assert kinds == {(kind, hole) for kind in KINDS[GAMES[book].kind] for hole in (False, True)}
    assert {case.get("irregularity", {}).get("ruling", "") for case in cases} >= {"stands", "reversed", None, ""}
    assert any(None in seat["wagers"].values() for case in cases for seat in case["seats"])


def test_a_round_that_breaks_a_property_is_named_by_book_and_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A property that could not fail would prove nothing."""
    whole = drawn.settle

    def leaves_a_wager_out(house: object, played: object) -> object:
        settlement = whole(house, played)  # type: ignore[arg-type]
        next(iter(settlement.seats.values())).popitem()
        return settlement

    monkeypatch.setattr(drawn, "settle", leaves_a_wager_out)
    broken = drawn.drawn("PIK", 0, 3, "17").broken
    assert [line.split(":")[0] for line in broken] == ["PIK, seed 17-0", "PIK, seed 17-1", "PIK, seed 17-2"]


def test_cards_that_contradict_the_game_leave_every_wager_undecidable() -> None:
    """Massachusetts repairs a dealer with too few cards; one who holds three anyway cannot be repaired (15(d) s2)."""
    case = read(
        msgspec.json.encode(
            {
                "rulebook": "UTH-MA",
                "seats": [
                    {"seat": 1, "wagers": {"ante": 500, "blind": 500, "progressive": 500}, "cards": ["2c", "3d"]}
                ],
                "dealer": ["Ks", "Kh"],
                "community": ["8d", "7s", "4c", "3s", "9c"],
                "irregularity": {"kind": "wrong-count", "of": "dealer", "dealt": 1},
            }
        )
    )
    played = msgspec.structs.replace(case.played, dealer=(*case.played.dealer, 0))
    outcomes = drawn.settle(case.house, played).seats[1]
    assert {wager: one.basis for wager, one in outcomes.items()} == dict.fromkeys(
        ("ante", "blind", "progressive", "envy"), UNDECIDABLE
    )
    assert {one.needs for one in outcomes.values()} == {("cards no deck of this game can deal",)}
