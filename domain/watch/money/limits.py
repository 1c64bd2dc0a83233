"""Wagers whose winnings a limit reduces. No rule divides a reduction, so only their sum is checked."""

from typing import NamedTuple

from domain.hands import standard
from domain.money import total
from domain.settlement.colorado import CLAUSES as COLORADO
from domain.settlement.uth_limits import MAIN, limits
from domain.table.payouts import handed
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import WeighedWager, weighed


class Limited(NamedTuple):
    """The wagers of a seat under a limit, those that differ, and the total received and owed."""

    spot: Spot
    clause: str
    items: tuple[WeighedWager, ...]
    expected: int | None
    observed: int | None


def beyond_limits(told: RoundInPlay) -> tuple[Limited, ...]:
    """Return the seats with reduced winnings on which any of these wagers differs."""
    held: tuple[Limited, ...] | None = told.worked_out.get("limited")
    if held is None:
        held = told.worked_out["limited"] = tuple(_limited(told))
    return held


def _limited(told: RoundInPlay) -> list[Limited]:
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


def _together(
    told: RoundInPlay, spot: Spot, clause: str, wagers: tuple[str, ...], items: list[WeighedWager]
) -> Limited:
    """Return the wagers of a seat under one limit; chips added after betting closed are returned separately."""
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


def _limits(told: RoundInPlay) -> list[tuple[str, tuple[str, ...], int]]:
    """Return the clause of each limit in force, its wagers, and the most they may win."""
    if told.game.colorado:
        cap = told.house["payout_cap"]
        return [] if cap is None else [(COLORADO[told.house["version"]]["limit"], ("ante", "bet"), cap)]
    if told.game.holdem:
        return [(limit.clause, limit.wagers, limit.cents) for limit in limits(told.house).each]
    return []


def may_be_cut(told: RoundInPlay, item: WeighedWager) -> bool:
    """Whether a limit may explain a shortfall, because it covers an unseen wager that may have won the rest."""
    account, unseen = item.handed, told.unseen_wagers
    if not unseen or account is None or item.expected is None or account.back >= item.expected:
        return False
    for _, wagers, most in _limits(told):
        if item.wager in wagers and not unseen.isdisjoint(wagers):
            won = sum(_won_at_most(told, item.spot, wager) for wager in wagers)
            if won > most:
                return True
    return False


_ANTES = 4  # the most antes in a play wager; its player always has an ante
_BY_ANTE = frozenset({"ante", "blind", "play", "bet"})
_ANY_STAKE = 10**12  # more than any layout holds: no limit is posted


def _won_at_most(told: RoundInPlay, spot: Spot, wager: str) -> int:
    """Return the winnings of a wager or, if unknown, the most they can be."""
    wagered, outcome = spot.wagers.get(wager), worked_out(told).settlement.seats[spot.seat].get(wager)
    if outcome is not None and outcome.returned is not None:
        return max(0, outcome.returned - ((wagered.staked if wagered is not None else None) or 0))
    if outcome is None and wager not in told.unseen_wagers:
        return 0
    return _at_most(told, spot, wager, _staked_at_most(told, spot, wager))


def _staked_at_most(told: RoundInPlay, spot: Spot, wager: str) -> int:
    """Return the most that an unseen wager can be, by the other wagers or by the posted limits."""
    together = _BY_ANTE if wager in _BY_ANTE else {wager}
    seen = [held.staked for name, held in spot.wagers.items() if name in together and held.staked]
    if seen:
        return _ANTES * max(seen)
    posted = told.limits.get("ante" if wager in _BY_ANTE else wager)
    most = posted.most_cents if posted is not None else None
    return _ANY_STAKE if most is None else _ANTES * most


def _at_most(told: RoundInPlay, spot: Spot, wager: str, stake: int) -> int:
    """Return the most that a stake can win with this hand, or on the best pay line if the hand is unknown."""
    table = told.house.tables.get("main" if told.game.colorado else wager)
    hand = worked_out(told).settlement.hands.get(spot.seat)
    if table is None:
        return 0  # not offered
    fits = set(table.lines)
    if hand is not None and not told.game.colorado and wager in MAIN:
        fits &= {standard.CATEGORIES[hand >> 20], "any_win"}
    return max((table.lines[name].winnings(stake) for name in fits), default=0)


def cut_though_outside(told: RoundInPlay, item: WeighedWager) -> bool:
    """Whether the operator's limit reduced a wager that it does not cover (UTH-MD 12.F(2))."""
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
