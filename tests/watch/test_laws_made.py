"""Laws that are made from the rule books and the register: made again they are those in force."""

import pytest

from domain.clauses import BOOKS
from domain.rulebooks import newest
from domain.watch.detectors import observations
from domain.watch.detectors.configuration import _LAWS, _odds_clauses, _options, _table_clauses
from domain.watch.detectors.observations import _seen_by_eye

MADE = {
    "pay-table-altered": lambda: _table_clauses(exact=True),
    "pay-table-below-floor": lambda: _table_clauses(exact=False),
    "odds-favour-the-player": lambda: _odds_clauses("odds-favour-the-player"),
    "odds-far-outside": lambda: _odds_clauses("odds-far-outside"),
    "house-option-invalid": lambda: {
        clause: clause for clause in (*(each for book in BOOKS for each in _options(newest(book))), "HOUSE 1 (Tray)")
    },
}


@pytest.mark.parametrize("code", MADE)
def test_each_table_and_option_has_its_clauses(code: str) -> None:
    assert MADE[code]() == {key: "; ".join(names) for (_, key), names in _LAWS[code].clauses.items()}


def test_what_only_a_person_can_see_has_its_clauses() -> None:
    held = {
        code: {key: names[0] for (_, key), names in law.clauses.items()} for code, law in observations._LAWS.items()
    }
    assert _seen_by_eye() == held
