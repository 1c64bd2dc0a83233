"""A finding as incidents need it: the line that `catwalk verify-log` prints, or a row of the read models."""

import msgspec

from domain.clauses import findings as vocabulary


class Item(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """A standing finding. `trigger` and `evidence` name facts as `stream:sequence`."""

    finding: str
    code: str
    severity: str
    stream: str
    at: int
    trigger: str
    says: str = ""
    clauses: tuple[str, ...] = ()
    round: int | None = None
    to_round: int | None = None
    seat: int | None = None
    wager: str = ""
    dealer: str = ""
    deck: str = ""
    short_cards: int | None = None
    expected_cents: int | None = None
    observed_cents: int | None = None
    evidence: tuple[str, ...] = ()
    basis: str = "certain"

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The place of this finding among all, the same on every machine."""
        return self.stream, self.at, int(self.trigger.rpartition(":")[2]), self.finding

    @property
    def cause(self) -> str:
        """The reason why findings of this code in several rounds may be one incident, by the vocabulary."""
        known = vocabulary().get(self.code)
        return known.cause if known else ""

    @property
    def last_round(self) -> int | None:
        """The last round of its stretch."""
        return self.round if self.to_round is None else self.to_round

    @property
    def difference_cents(self) -> int | None:
        """The amount handed back in excess, or a negative shortfall; None if it names no amounts."""
        if self.expected_cents is None or self.observed_cents is None:
            return None
        return self.observed_cents - self.expected_cents
