"""The page of partial sensors has the shares of wagers that the days themselves show."""

from collections import Counter

import pytest

from domain.games import BOOKS
from domain.watch.owed_vs_paid import DECIDED
from tests.watch.decidable import PAGE, book_of, computed, kinds, lawful_days, row_of, wagers

TEXT = PAGE.read_text("utf-8")
# One of each kind: cards, money, decisions, chips of one kind, and procedure.
SOME = ("card-dealt", "wager-paid", "decision-made", "hand-revealed", "stack-delivered", "card-burned")


@pytest.mark.parametrize("kind", SOME)
def test_a_row_of_the_page_is_what_the_days_show(kind: str) -> None:
    row = computed([kind])[kind]
    if all(each in (None, 1) for each in row.values()):
        assert f"`{kind}`" in TEXT.partition("## Types of fact that decide none")[2]
    else:
        assert row_of(kind, row) in TEXT.splitlines()


def test_the_page_names_every_type_that_the_days_have() -> None:
    assert [kind for kind in kinds() if f"`{kind}`" not in TEXT] == []


def test_nearly_every_wager_of_the_days_is_decided_with_all_types() -> None:
    """So a share below all of it is what the missing type costs."""
    for book in BOOKS:
        told = sum((wagers(day) for day in lawful_days() if book_of(day) == book), Counter[str]())
        assert told[DECIDED] > 100, book
        assert 10 * told[DECIDED] > 9 * sum(told.values()), book
