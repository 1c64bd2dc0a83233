"""Each incident in each of its games, by itself on a seeded day: it is found by its clause and amount, and nothing besides."""

import pytest

from domain.scoring import STATISTICAL
from domain.simulation.incidents.incident import Incident, all_incidents
from domain.simulation.incidents.weaving import stands_for
from tests.simulation.incidents.bases import BASES
from tests.simulation.incidents.floors import ROUNDS, dealt, found_in, inexact, scored

# What shows only beside another stream is in test_weaving.py.
BESIDE_ANOTHER = {"options-not-approved", *(each.name for each in all_incidents().values() if each.across)}
ROWS = [(each, book) for each in all_incidents().values() for book in each.books if each.name not in BESIDE_ANOTHER]
SEEDS = range(4)


@pytest.mark.parametrize(("incident", "book"), ROWS, ids=lambda value: getattr(value, "name", value))
def test_an_incident_is_found_and_nothing_else(incident: Incident, book: str) -> None:
    """Precision and recall are 1 on the first table of this game it fits, the clause and the amounts as they should be."""
    for seed in SEEDS:
        for base in BASES[book]:
            stands = stands_for(incident, base)
            if stands is None:
                continue
            told = dealt(stands, [incident], seed, max(ROUNDS, incident.rounds + incident.before + 4))
            if not told.labels:
                continue
            assert told.labels[0].incident == incident.name
            found = found_in(told.facts)
            result = scored(told.labels, found)
            assert not result.missed
            assert not result.false
            assert inexact(told.labels, found) == []
            if incident.kind == STATISTICAL:
                assert result.statistical.labels == 1
            return
    pytest.fail(f"{incident.name} never happened at {book}")
