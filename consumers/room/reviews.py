"""Every review, kept current with the desk's log: the queue needs hundreds at once, many times a minute."""

from collections.abc import Callable, Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from consumers.desk.application import Desk
from consumers.desk.kept_up import KeptUp
from domain.desk import review
from domain.desk.review import Review
from domain.facts.envelope import Fact
from projections.questions.findings import Reviewing, Worked

Reviews = KeptUp[Review]
Whose = Literal["anybody", "nobody", "me", "to agree", "escalated"]


class ReviewState(msgspec.Struct, frozen=True):
    """The current reviews, and the part of them that a query of the read models needs."""

    reviews: Mapping[str, Review]
    worked: Worked
    changes: int

    def of(self, finding: str) -> Review:
        """The review of a finding; empty if there is none yet."""
        return self.reviews.get(finding) or review.initial(finding)

    def asked(self, whose: Whose, me: str, *, done: bool) -> Reviewing:
        """The waiting or finished findings in these hands."""
        if whose == "nobody":
            taken = tuple(name for name, each in self.reviews.items() if each.holder or each.state == "escalated")
            return Reviewing(self.worked, done, without=taken)
        if whose == "anybody":
            return Reviewing(self.worked, done)
        return Reviewing(self.worked, done, tuple(name for name, each in self.reviews.items() if _IN[whose](each, me)))


class ReviewsHeld:
    """The reviews of a desk and their summary, computed once for every change."""

    def __init__(self, desk: Desk) -> None:
        self._reviews: Reviews = KeptUp(desk, "review/", _taken)
        self._held: ReviewState | None = None

    def now(self) -> ReviewState:
        """The current reviews."""
        reviews, changes = self._reviews.now_and_changes()
        held = self._held
        if held is None or held.changes != changes:
            held = self._held = ReviewState(reviews, _worked(reviews), changes)
        return held


def _worked(reviews: Mapping[str, Review]) -> Worked:
    closed = [(name, each.closed.edition) for name, each in reviews.items() if each.closed is not None]
    seen = [name for name, each in reviews.items() if each.closed is None and each.acknowledged_by]
    return Worked(tuple(name for name, _ in closed), tuple(edition for _, edition in closed), tuple(seen))


def _mine(held: Review, me: str) -> bool:
    return held.holder == me or (held.closed is not None and held.closed.by == me)


def _to_agree(held: Review, me: str) -> bool:
    return held.proposal is not None and held.closed is None and held.proposal.by != me


def _escalated(held: Review, _: str) -> bool:
    return held.state == "escalated"


_IN: Final[dict[str, Callable[[Review, str], bool]]] = {"me": _mine, "to agree": _to_agree, "escalated": _escalated}


def _taken(held: Review | None, finding: str, record: Fact) -> Review | None:
    state = held or review.initial(finding)
    if record.sequence != state.version + 1:
        return None
    return review.evolve(replace(state, keys=set(state.keys)), record)
