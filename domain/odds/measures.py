"""House edge, hit rate and standard deviation from weighted outcomes, all exact."""

from collections.abc import Iterable
from fractions import Fraction
from math import sqrt

import msgspec

from domain.money import Cents, Odds

Outcome = tuple[int, Fraction]  # how many deals, and the net result per unit wagered


class WagerOdds(msgspec.Struct, frozen=True, kw_only=True):
    """The house's share of one wager, per unit wagered.

    `house_edge` is positive when the house gains. `hit_rate` is the probability that the wager returns more than its
    stake; a push is not a hit. `standard_deviation` is that of the net result. If a figure is None, `note` says why.
    """

    method: str
    house_edge: Fraction | None = None
    hit_rate: Fraction | None = None
    standard_deviation: float | None = None
    element_of_risk: Fraction | None = None
    value_per_other_player: Fraction | None = None
    interval_95: tuple[Fraction, Fraction] | None = None
    amount_cents: Cents | None = None
    clause: str = ""
    note: str = ""


def measured(
    outcomes: Iterable[Outcome],
    *,
    method: str = "exact",
    clause: str = "",
    note: str = "",
    amount_cents: Cents | None = None,
    wagered: Fraction | None = None,
) -> WagerOdds:
    """Return a wager's odds from all its outcomes; `wagered` is the mean total stake, for the element of risk."""
    deals, hits, total, squares = 0, 0, Fraction(0), Fraction(0)
    for weight, net in outcomes:
        deals += weight
        hits += weight * (net > 0)
        total += weight * net
        squares += weight * net * net
    mean = total / deals
    return WagerOdds(
        method=method,
        house_edge=-mean,
        hit_rate=Fraction(hits, deals),
        standard_deviation=sqrt(squares / deals - mean * mean),
        element_of_risk=None if wagered is None else -mean / wagered,
        amount_cents=amount_cents,
        clause=clause,
        note=note,
    )


def net(line: Odds | None, amount_cents: Cents | None = None, meters: dict[str, Cents] | None = None) -> Fraction:
    """Return the net per unit wagered on a pay-table line; without a line the unit is lost.

    A flat amount is added to the stake and a meter's share replaces it, whatever the stake, so both need the amount
    wagered. Odds are taken as printed, without rounding single payouts to cents.
    """
    if line is None:
        return Fraction(-1)
    if line.flat_cents:
        return Fraction(line.flat_cents, _known(amount_cents))
    if line.meter:
        return Fraction((meters or {})[line.meter] * line.percent, 100 * _known(amount_cents)) - 1
    return Fraction(line.wins, line.per) - line.stake_included


def _known(amount_cents: Cents | None) -> Cents:
    if amount_cents is None:
        raise ValueError("a flat amount or a meter's share has no odds without the amount wagered")
    return amount_cents
