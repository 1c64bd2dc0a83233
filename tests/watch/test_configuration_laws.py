"""The laws about a house's options are made from the rule books: made again they are those in force."""

import pytest

from domain.clauses import BOOKS
from domain.rulebooks import rulebook
from domain.watch.detectors.configuration import _LAWS, _odds_clauses, _options, _table_clauses

MADE = {
    "pay-table-altered": lambda: _table_clauses(exact=True),
    "pay-table-below-floor": lambda: _table_clauses(exact=False),
    "odds-favour-the-player": lambda: _odds_clauses("odds-favour-the-player"),
    "odds-far-outside": lambda: _odds_clauses("odds-far-outside"),
    "house-option-invalid": lambda: {clause: clause for book in BOOKS for clause in _options(rulebook(book))},
}


@pytest.mark.parametrize("code", MADE)
def test_each_table_and_option_has_its_clauses(code: str) -> None:
    assert MADE[code]() == {key: "; ".join(names) for (_, key), names in _LAWS[code].clauses.items()}
