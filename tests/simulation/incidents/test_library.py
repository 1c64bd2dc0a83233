"""The list of incidents: every finding a rule book's facts can raise has one, and its label cites what it may."""

from hashlib import sha256

import pytest

from domain.clauses import HOUSE, all_clauses, clause, findings
from domain.scoring import STATISTICAL
from domain.simulation.incidents import UnknownIncidentError, by_code, chosen, names
from domain.simulation.incidents.incident import ALL_BOOKS, Incident, StretchUnfitError, all_incidents
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import Setup, TableInPlay
from domain.watch.corrected import UNREADABLE
from domain.watch.faults import NOT_JUDGED
from domain.watch.record import OF_THE_LOG

CLAUSES = all_clauses()
SHOWN = {
    code: [name for name in found.clauses if CLAUSES[name].observable != "none"] for code, found in findings().items()
}
EACH = list(all_incidents().values())


# Faults of a log or of the verifier arise behind the speakers of the facts: no floor can show them.
BEHIND_THE_GATEWAY = OF_THE_LOG - {UNREADABLE}
# No book comes with two editions yet, so no floor can open under the wrong one: tests/consumers/test_two_editions.py.
OF_TWO_EDITIONS = {"rule-book-not-in-force"}
# A fault of Catwalk's own comes about in the watch, whatever the facts.
NO_FLOOR_TELLS = BEHIND_THE_GATEWAY | OF_TWO_EDITIONS | {NOT_JUDGED}


@pytest.mark.parametrize("code", sorted(SHOWN.keys() - NO_FLOOR_TELLS))
def test_every_finding_has_an_incident(code: str) -> None:
    """Every finding from facts or from a person watching comes from an incident, in a book that has such a clause."""
    held = by_code(code)
    books = {CLAUSES[name].book for name in SHOWN[code]} - {HOUSE} or set(ALL_BOOKS)
    assert held
    assert {book for each in held for book in each.books} & books


def test_a_seed_draws_what_it_drew_before() -> None:
    """Incidents are drawn in the order of their list: another order makes another floor of each seed."""
    drawn = [each.name for each in chosen("all")]
    assert sha256("\n".join(drawn).encode()).hexdigest().startswith("01bde145d2245176")


def test_what_no_floor_can_tell_has_no_incident() -> None:
    assert {code for code in SHOWN if not by_code(code)} == NO_FLOOR_TELLS


@pytest.mark.parametrize("incident", EACH, ids=lambda each: each.name)
def test_a_label_cites_clauses_that_raise_its_code(incident: Incident) -> None:
    """The register or the vocabulary has the clauses of a label raise its finding."""
    cited = {name for row in incident.clauses.values() for name in row if clause(name).book in incident.books}
    if incident.kind != STATISTICAL:
        assert cited <= set(findings()[incident.code].clauses)


@pytest.mark.parametrize("incident", EACH, ids=lambda each: each.name)
def test_what_it_causes_besides_is_in_the_vocabulary(incident: Incident) -> None:
    """A finding that no detector could raise explains nothing."""
    assert set(incident.besides) <= set(findings())
    assert incident.says.endswith(".")


def test_incidents_are_chosen_by_name_and_by_code() -> None:
    """A name is one incident, a code all that raise it."""
    assert [each.name for each in chosen("sugarhouse-sorted-deck")] == ["sugarhouse-sorted-deck"]
    both = {each.name for each in chosen("selection-invalid, hollywood")}
    assert both == {"selection-invalid", "selection-invalid/others", "hollywood"}
    assert {each.name for each in chosen("all")} == set(names()) - {each.name for each in EACH if each.only_named}


def test_a_word_that_is_no_incident_is_refused_with_those_like_it() -> None:
    """The answer shows how the word is written."""
    with pytest.raises(UnknownIncidentError, match=r"similar names are .*sugarhouse-six-decks"):
        chosen("sugarhouse-6-decks")


def test_who_leaves_in_mid_round_has_one_position() -> None:
    """A player with two would play on at the other after having gone."""
    leaving = all_incidents()["player-left-mid-round"].staging
    assert leaving is not None
    table = TableInPlay(Setup(book="COL"))
    both = (SeatPlan(1, {"ante": 500}, player="p-1"), SeatPlan(2, {"ante": 500}, player="p-1"))
    staged = leaving(table, RoundPlan((*both, SeatPlan(4, {"ante": 500}, player="p-2"))), 0)
    assert [seat.seat for seat in staged.seats if seat.acts] == [4]
    with pytest.raises(StretchUnfitError):
        leaving(table, RoundPlan(both), 0)
