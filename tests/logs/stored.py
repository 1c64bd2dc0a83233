"""Facts in the form that a log takes."""

from consumers.logs import StoredFact
from domain.facts.codec import encode, name_of
from domain.facts.envelope import Fact


def stored_fact(fact: Fact) -> StoredFact:
    """A fact in its stored form."""
    return StoredFact(fact.stream, fact.sequence, name_of(fact), encode(fact))
