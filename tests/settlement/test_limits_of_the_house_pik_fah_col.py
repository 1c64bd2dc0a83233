"""Choices a house of these three books may make: limits it cannot exceed, and options no text offers."""

from typing import Any

import pytest

from domain.rulebooks import BadHouseError, house, newest
from domain.settlement import settle
from tests.rulecard import case_of

# clause | what the house tries
REFUSED = [
    ("PIK 39.3(e)", "PIK", {"max_positions": 4}),
    ("PIK 39.3(a)/s1-limits", "PIK", {"ante_min": 0}),
    ("PIK 39.3(a)/s1-limits", "PIK", {"ante_max": -500}),
    ("PIK 39.3(a)/s2", "PIK", {"bonus3_min": 0}),
    ("PIK 39.3(a)/s2", "PIK", {"bonus3_max": 12.5}),
    ("PIK 39.3(b)/s3", "PIK", {"play3_multiple": 3}),
    ("PIK 39.11(b)/s1", "PIK", {"bonus5_table": 3}),
    ("PIK 39.11(c)/s1", "PIK", {"bonus3_table": 4}),
    ("FAH (j)(1)", "FAH", {"max_positions": 2}),
    ("FAH (b)(1)/s1", "FAH", {"decks": 1}),
    ("FAH (h)(11)/s2", "FAH", {"copy_hand_rule": "win"}),
    ("COL 6(e)", "COL", {"max_positions": 3}),
    ("COL 6(f)/s1", "COL", {"version": "optional"}),
    ("COL 12(c)/s1", "COL", {"payout_cap": 0}),
]


@pytest.mark.parametrize(("clause", "book", "config"), REFUSED, ids=[f"{row[0]}: {row[2]}" for row in REFUSED])
def test_what_no_text_allows_does_not_load(clause: str, book: str, config: dict[str, Any]) -> None:
    """PIK 39.3(e)/count knows three positions, COL 6(e)/count two, FAH (j)(1) one."""
    with pytest.raises(BadHouseError) as refused:
        house(newest(book), config)
    assert [finding.clause for finding in refused.value.findings] == [clause]


@pytest.mark.parametrize(
    ("book", "positions", "clause"),
    [("PIK", 3, "PIK 39.3(e)/count"), ("FAH", 1, "FAH (j)(1)"), ("COL", 2, "COL 6(e)/count")],
)
def test_the_most_positions_are_the_texts(book: str, positions: int, clause: str) -> None:
    """The number stands under its clause, and a house may choose up to it."""
    chosen = house(newest(book), {"max_positions": positions})
    assert chosen["max_positions"] == chosen.book.value("positions_a_player") == positions
    assert chosen.book.clause_of("positions_a_player") == clause


@pytest.mark.parametrize(("ante", "bonus3"), [(1, 1), (2000, 2000)], ids=["under the least", "over the greatest"])
def test_a_wager_outside_the_limits_was_placed_and_is_settled(ante: int, bonus3: int) -> None:
    """PIK 39.3(a)/s1-limits, PIK 39.3(a)/s2: breaking a limit is a finding, never a reason to keep a payout."""
    limits = "ante_min=1000 ante_max=100000 bonus3_min=500 bonus3_max=50000"
    seats = f"1: As Ah 4c 3d Js ante {ante} bonus5 {ante} bonus3 {bonus3} select As Ah 4c play5"
    case = case_of({"book": "PIK", "says": "", "house": limits, "dealer": "Kc Qd 7h 5s 2c", "seats": seats})
    returned = {wager: one.returned for wager, one in settle(case.house, case.played).seats[1].items()}
    assert returned == {"ante": ante * 200, "play5": ante * 200, "bonus5": 0, "bonus3": bonus3 * 200}
