"""Findings against labels: what fits, what is missed, what is false, and what an incident causes besides."""

import pytest

from domain.scoring import STATISTICAL, Label, Scored, Trace, fits, score

OVERPAID = Trace(code="wager-overpaid", stream="T7/1", first_round=4, seat=2, wager="blind", expected_cents=10)
FOUND = Scored(
    code="wager-overpaid", stream="T7/1", round=4, seat=2, wager="blind", clauses=("X 1",), expected_cents=10
)


@pytest.mark.parametrize(
    "change",
    [
        *({"code": "loser-paid"}, {"stream": "T8/1"}, {"round": 5}, {"round": None}, {"seat": 3}, {"wager": "ante"}),
        {"expected_cents": 11},
    ],
)
def test_a_finding_that_differs_in_anything_the_label_says_does_not_fit(change: dict[str, object]) -> None:
    fields = {name: getattr(FOUND, name) for name in FOUND.__struct_fields__}
    assert fits(OVERPAID, FOUND)
    assert not fits(OVERPAID, Scored(**{**fields, **change}))


@pytest.mark.parametrize(
    ("first", "last", "fit"), [(2, 3, False), (2, 4, True), (3, 9, True), (4, 9, True), (5, 9, False)]
)
def test_a_state_fits_if_its_stretch_has_a_round_of_the_label(first: int, last: int, fit: bool) -> None:
    trace = Trace(code="shuffle-missing", stream="T7/1", first_round=4)
    assert fits(trace, Scored(code="shuffle-missing", stream="T7/1", round=first, to_round=last)) is fit


def test_a_label_may_ask_for_clauses() -> None:
    assert fits(Trace(code=FOUND.code, clauses=("X 1",)), FOUND)
    assert not fits(Trace(code=FOUND.code, clauses=("X 2",)), FOUND)


def test_a_label_that_is_not_found_is_missed_and_a_finding_without_a_label_is_false() -> None:
    result = score([Label(incident="one", own=OVERPAID)], [Scored(code="loser-paid", stream="T7/1", round=4)])
    assert (result.total.recall, result.total.precision) == (0.0, 0.0)
    assert [label.incident for label in result.missed] == ["one"]
    assert [finding.code for finding in result.false] == ["loser-paid"]
    assert not result.perfect


def test_what_an_incident_causes_besides_is_neither_false_nor_asked_for() -> None:
    besides = Trace(code="stub-count-mismatch", stream="T7/1", first_round=4, last_round=9)
    label = Label(incident="one", own=OVERPAID, besides=(besides,))
    assert score([label], [FOUND]).perfect
    assert score([label], [FOUND, Scored(code="stub-count-mismatch", stream="T7/1", round=9)]).perfect
    assert not score([label], [FOUND, Scored(code="stub-count-mismatch", stream="T7/1", round=10)]).perfect


def test_statistical_incidents_are_counted_apart() -> None:
    result = score([Label(incident="hole card", kind=STATISTICAL, own=Trace(code="wager-overpaid"))], [])
    assert result.perfect
    assert (result.statistical.labels, result.statistical.missed) == (1, 1)
