"""A finding: what to review, by which clause, and the facts that show it. It carries evidence and no verdict.

Its id comes from its subject and the fact that triggered it. A replay finds the same id, and a new amount or wording
under that id is a revision.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Protocol

import msgspec

from domain.clauses import findings as vocabulary
from domain.watch.laws import Law


class Shown(Protocol):
    """All that a finding takes from a fact: its place, its time and its round."""

    @property
    def stream(self) -> str:
        """The stream of the fact."""

    @property
    def sequence(self) -> int:
        """The place in the stream."""

    @property
    def at(self) -> int:
        """The time of the fact."""

    @property
    def round(self) -> int | None:
        """The round of the fact, or None."""


class Finding(msgspec.Struct, frozen=True, kw_only=True, gc=False, omit_defaults=True):
    """A matter to review, with its clauses, amounts and evidence."""

    code: str
    clauses: tuple[str, ...]
    says: str
    stream: str
    trigger: int  # the sequence of the fact that triggered it
    at: int  # when it happened
    round: int | None = None
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[int, ...] = ()  # the sequences of the facts that show it
    basis: str = "certain"  # or "reading", if the clause can be read in two ways
    beside: str = ""  # in a finding about two tables, the other table's fact
    to_round: int | None = None  # the last round of the stretch, if the finding is about more rounds than `round`
    deck: str = ""  # the deck or batch, if the finding is about one or its shuffle
    short_cards: int | None = None  # how many cards a count found missing; below 0, too many

    @property
    def id(self) -> str:
        """The permanent id of this finding."""
        parts: tuple[object, ...] = (self.code, self.stream, self.round, self.seat, self.wager, self.trigger)
        if self.beside:
            parts += (self.beside.partition(":")[0],)
        return sha256("\n".join(map(str, parts)).encode()).hexdigest()[:20]

    @property
    def severity(self) -> str:
        """The severity on the vocabulary's scale."""
        return vocabulary()[self.code].severity

    @property
    def rounds(self) -> range:
        """The rounds of its stream that it is about: none, one, or a stretch."""
        return range(0) if self.round is None else range(self.round, (self.to_round or self.round) + 1)

    def is_in(self, number: int) -> bool:
        """Whether the finding is about this round of its stream, alone or within a stretch of rounds."""
        return number in self.rounds

    @property
    def at_risk_cents(self) -> int | None:
        """The difference between the observed and the expected amount, or None if one is unknown."""
        if self.expected_cents is None or self.observed_cents is None:
            return None
        return abs(self.observed_cents - self.expected_cents)


def is_of_a_deck(code: str) -> bool:
    """Whether findings with this code are about a deck or its shuffle."""
    return vocabulary()[code].cause in ("deck", "shuffle")


def found(
    law: Law,
    cited: tuple[str, ...],
    trigger: Shown,
    says: str,
    *,
    stream: str = "",
    round: int | None = None,  # noqa: A002 - the field's own word
    seat: int | None = None,
    wager: str = "",
    dealer: str = "",
    expected: int | None = None,
    observed: int | None = None,
    evidence: Iterable[Shown] = (),
    basis: str = "certain",
    beside: str = "",
    deck: str = "",
    short_cards: int | None = None,
) -> Finding:
    """Make a finding on the fact that triggered it; the evidence always includes the trigger."""
    shows = {fact.sequence for fact in evidence} | {trigger.sequence}
    return Finding(
        code=law.code,
        clauses=cited,
        says=says,
        stream=stream or trigger.stream,
        trigger=trigger.sequence,
        at=trigger.at,
        round=trigger.round if round is None else round,
        seat=seat,
        wager=wager,
        dealer=dealer,
        expected_cents=expected,
        observed_cents=observed,
        evidence=tuple(sorted(shows)),
        basis=basis,
        beside=beside,
        deck=deck if is_of_a_deck(law.code) else "",
        short_cards=short_cards,
    )


def of_the_record(code: str, trigger: Shown, says: str, evidence: Iterable[Shown] = (), beside: str = "") -> Finding:
    """Make a finding about the record itself, which no clause covers; the evidence keeps the given order."""
    return Finding(
        code=code,
        clauses=(),
        says=says,
        stream=trigger.stream,
        trigger=trigger.sequence,
        at=trigger.at,
        round=trigger.round,
        evidence=tuple(fact.sequence for fact in evidence),
        beside=beside,
    )
