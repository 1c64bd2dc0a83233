"""Wagers whose winnings a limit cuts: how a cut is shared is printed nowhere, so only their sum is held to it."""

from typing import NamedTuple

from domain.hands import standard
from domain.money import total
from domain.settlement.colorado import CLAUSES as COLORADO
from domain.settlement.uth_limits import MAIN, limits
from domain.table.round import Round
from domain.table.spots import Spot
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import Weighed, weighed
from domain.watch.payouts import handed


class Limited(NamedTuple):
    """The wagers of a seat a limit cut, those that differ, and what all of them together got and should have."""

    spot: Spot
    clause: str
    items: tuple[Weighed, ...]
    expected: int | None
    observed: int | None


def beyond_limits(told: Round) -> tuple[Limited, ...]:
    """The seats whose winnings a limit cut, where any of these wagers differs."""
    held: tuple[Limited, ...] | None = told.worked_out.get("limited")
    if held is None:
        held = told.worked_out["limited"] = tuple(_limited(told))
    return held


def _limited(told: Round) -> list[Limited]:
    found = []
    seats = {item.spot.seat: item.spot for item in weighed(told).differing}
    for number, spot in seats.items():
        outcomes = worked_out(told).settlement.seats.get(number, {})
        clauses = {outcome.clause for outcome in outcomes.values()}
        for clause, wagers, _ in reversed(_limits(told)):
            if clause in clauses:
                items = [item for item in weighed(told).differing if item.spot is spot and item.wager in wagers]
                if items:
                    found.append(_together(told, spot, clause, wagers, items))
                break
    return found


def _together(told: Round, spot: Spot, clause: str, wagers: tuple[str, ...], items: list[Weighed]) -> Limited:
    """The wagers of a seat one limit covers; chips added after the betting closed go back apart from what is won."""
    outcomes = worked_out(told).settlement.seats[spot.seat]
    held = [name for name in wagers if name in outcomes]
    owed, got = [outcomes[name].returned for name in held], []
    for name in wagers:
        account = handed(told, spot.wagers[name]) if name in spot.wagers else None
        if name in outcomes or name in told.unseen_wagers:
            got.append(account.back if account is not None else None)
        if account is not None and name in outcomes and outcomes[name].returned:
            owed.append(account.late)
    return Limited(spot, clause, tuple(items), total(owed), total(got))


def _limits(told: Round) -> list[tuple[str, tuple[str, ...], int]]:
    """The clause of each limit in force, the wagers it covers and the most they may win."""
    if told.game.colorado:
        cap = told.house["payout_cap"]
        return [] if cap is None else [(COLORADO[told.house["version"]]["limit"], ("ante", "bet"), cap)]
    if told.game.holdem:
        return [(limit.clause, limit.wagers, limit.cents) for limit in limits(told.house).each]
    return []


def may_be_cut(told: Round, item: Weighed) -> bool:
    """Whether what is missing may be what a limit cuts: it covers a wager nobody saw, which may have won the rest."""
    account, unseen = item.handed, told.unseen_wagers
    if not unseen or account is None or item.expected is None or account.back >= item.expected:
        return False
    for _, wagers, most in _limits(told):
        if item.wager in wagers and not unseen.isdisjoint(wagers):
            won = sum(_won_at_most(told, item.spot, wager) for wager in wagers)
            if won > most:
                return True
    return False


_ANTES = 4  # a play wager is no more of them, and who makes it has an ante
_BY_ANTE = frozenset({"ante", "blind", "play", "bet"})
_ANY_STAKE = 10**12  # more than lies on any layout: no limit is posted


def _won_at_most(told: Round, spot: Spot, wager: str) -> int:
    """What a wager won; where that is not known, the most it can have."""
    wagered, outcome = spot.wagers.get(wager), worked_out(told).settlement.seats[spot.seat].get(wager)
    if outcome is not None and outcome.returned is not None:
        return max(0, outcome.returned - ((wagered.staked if wagered is not None else None) or 0))
    if outcome is None and wager not in told.unseen_wagers:
        return 0
    return _at_most(told, spot, wager, _staked_at_most(told, spot, wager))


def _staked_at_most(told: Round, spot: Spot, wager: str) -> int:
    """The most that can lie on a wager nobody saw: by the others that go by the ante, or by what is posted."""
    together = _BY_ANTE if wager in _BY_ANTE else {wager}
    seen = [held.staked for name, held in spot.wagers.items() if name in together and held.staked]
    if seen:
        return _ANTES * max(seen)
    posted = told.limits.get("ante" if wager in _BY_ANTE else wager)
    most = posted.most_cents if posted is not None else None
    return _ANY_STAKE if most is None else _ANTES * most


def _at_most(told: Round, spot: Spot, wager: str, stake: int) -> int:
    """What a stake can win with this hand; on the best line, where another hand decides or it is not known."""
    table = told.house.tables.get("main" if told.game.colorado else wager)
    hand = worked_out(told).settlement.hands.get(spot.seat)
    if table is None:
        return 0  # not offered
    fits = set(table.lines)
    if hand is not None and not told.game.colorado and wager in MAIN:
        fits &= {standard.CATEGORIES[hand >> 20], "any_win"}
    return max((table.lines[name].winnings(stake) for name in fits), default=0)


def cut_though_outside(told: Round, item: Weighed) -> bool:
    """Whether a wager the operator's limit does not reach was paid as if it did (UTH-MD 12.F(2))."""
    cap = told.house.options.get("payout_cap") if told.game.has_meters else None
    if cap is None or item.handed is None or item.wager not in ("six_card", "progressive"):
        return False
    stake = 0 if item.wager == "progressive" or item.wagered is None else item.wagered.staked or 0
    won = item.handed.back - stake
    main = 0
    for name in ("ante", "blind", "play", "trips"):
        wagered = item.spot.wagers.get(name)
        account = handed(told, wagered) if wagered is not None else None
        if account is not None and wagered is not None:
            main += max(0, account.back - (wagered.staked or 0))
    return won in (cap, cap - main)
