"""Every review at hand, kept up with the desk's own log: the queue asks for hundreds at once, many times a minute."""

from msgspec.structs import replace

from consumers.desk.application import Desk
from consumers.desk.kept_up import KeptUp
from domain.desk import review
from domain.desk.review import Review
from domain.facts.envelope import Fact

Reviews = KeptUp[Review]


def reviews_of(desk: Desk) -> Reviews:
    """Every review somebody began, by finding."""
    return KeptUp(desk, "review/", _taken)


def _taken(held: Review | None, finding: str, record: Fact) -> Review | None:
    state = held or review.initial(finding)
    if record.sequence != state.version + 1:
        return None
    return review.evolve(replace(state, keys=set(state.keys)), record)
