"""Settlement's answers: for every wager the amount returned, the deciding clause, and how sure that is."""

from collections.abc import Iterable

import msgspec

from domain.money import Cents, Odds

CERTAIN = "certain"
READING = "reading"  # the text is ambiguous: the reading in the clause register decides
RULING = "ruling"  # the text gives no answer: only a ruling on the floor can
UNDECIDABLE = "undecidable"  # the text decides, but not enough was seen


class Outcome(msgspec.Struct, frozen=True, gc=False):
    """One wager's answer. `returned` includes the stake: 0 is collected, the stake is a push, None is unknown.

    If only a ruling can decide, `alternatives` are the amounts if the settled wager holds and if it is reversed.
    """

    returned: Cents | None
    clause: str
    basis: str = CERTAIN
    needs: tuple[str, ...] = ()
    alternatives: tuple[Cents | None, Cents | None] | None = None


class WagerOutcome(msgspec.Struct, frozen=True):
    """A settled wager's line: whether the stake is returned, and the odds on it."""

    stake_back: bool
    odds: Odds
    clause: str
    basis: str = CERTAIN


class Settlement(msgspec.Struct, gc=False):
    """A settled round. `order` is the order in which the dealer settles; hand values are by seat, 0 the dealer."""

    seats: dict[int, dict[str, Outcome]]
    order: tuple[int, ...] = ()
    hands: dict[int, int] = {}
    void_clause: str = ""
    meters_after: dict[str, Cents] | None = None

    @property
    def round_void(self) -> bool:
        """Whether the round as a whole is void."""
        return bool(self.void_clause)


NOTHING = Odds()


def lost(clause: str, basis: str = CERTAIN) -> WagerOutcome:
    """Return the line of a collected wager."""
    return WagerOutcome(stake_back=False, odds=NOTHING, clause=clause, basis=basis)


def pushed(clause: str, basis: str = CERTAIN) -> WagerOutcome:
    """Return the line of a returned wager."""
    return WagerOutcome(stake_back=True, odds=NOTHING, clause=clause, basis=basis)


def paid(odds: Odds, clause: str, basis: str = CERTAIN) -> WagerOutcome:
    """Return the line of a wager that is returned and paid."""
    return WagerOutcome(stake_back=True, odds=odds, clause=clause, basis=basis)


def settled(line: WagerOutcome, stake: Cents | None, wager: str = "the wager") -> Outcome:
    """Return the outcome of this line on this stake."""
    if stake is not None:
        back = stake if line.stake_back else 0
        return Outcome(back + line.odds.winnings(stake), line.clause, line.basis)
    if not line.stake_back:
        return Outcome(0, line.clause, line.basis)
    return Outcome(None, line.clause, UNDECIDABLE, needs=(f"the amount of {wager}",))


def ruling(clause: str, stands: Cents | None = None, reversed_: Cents | None = None) -> Outcome:
    """Return an outcome that only a ruling can decide."""
    alternatives = None if stands is None and reversed_ is None else (stands, reversed_)
    return Outcome(None, clause, RULING, alternatives=alternatives)


def undecidable(clause: str, needs: Iterable[str]) -> Outcome:
    """Return an outcome the text decides, but for which this was not seen."""
    return Outcome(None, clause, UNDECIDABLE, needs=tuple(needs))


def returned(stake: Cents | None, clause: str, basis: str = CERTAIN, wager: str = "the wager") -> Outcome:
    """Return the outcome that returns the stake unchanged."""
    return settled(pushed(clause, basis), stake, wager)
