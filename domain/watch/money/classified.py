"""The fault in the money of one wager: a code, and the situations whose clauses it breaks."""

from typing import NamedTuple

from domain.cards import UNKNOWN
from domain.facts.payments import WagerCollected, WagerPaid
from domain.settlement.colorado import instant_winner
from domain.table.payouts import NO_STAKE, Handed, banked
from domain.table.round import RoundInPlay
from domain.table.spots import Spot, Wagered
from domain.watch.money.limits import cut_though_outside
from domain.watch.money.why import SURVIVING, VOID, Why
from domain.watch.owed_vs_paid import WeighedWager

_ONCE = ("progressive", "cover_all", "bonus5", "bonus3")  # paid once, for the highest hand only
_INSTANT = {"ante": "main", "bonus": "bonus"}


class Wrong(NamedTuple):
    """A code, with the names of the situations it breaks."""

    code: str
    keys: tuple[str, ...]


def classified(told: RoundInPlay, item: WeighedWager, why: Why) -> Wrong | None:
    """Return the fault in this wager's money, or None if the record is not enough to tell."""
    if why.kind == VOID:
        return Wrong("void-wager-not-returned", why.keys)
    if why.kind == SURVIVING:
        return Wrong("void-trips-unsettled", why.keys)
    if item.wager == NO_STAKE:
        return _envy(item, why)
    if "left" in why.keys or _taken_as_abandoned(item):
        return Wrong("abandoned-wager-mishandled", (*why.keys, "left"))
    if "fold" in why.keys and item.expected == 0:
        return Wrong("folded-wager-not-collected", why.keys)
    if "surrender" in why.keys:
        return Wrong("surrender-amount-wrong", why.keys)
    account = item.handed
    if account is not None and account.lying:
        return Wrong("wager-unsettled", why.keys)
    if item.expected is None or item.wagered is None:
        return None
    if account is None:
        return Wrong("loser-paid", why.keys)
    if paid_as_instant_winner(told, item.spot, item.wagered):
        return None  # reported by its own detector
    return _by_amount(told, item, item.wagered, account, why)


def _by_amount(told: RoundInPlay, item: WeighedWager, wagered: Wagered, account: Handed, why: Why) -> Wrong:
    expected, got = item.expected or 0, account.back
    stake = 0 if banked(told, item.wager) else (wagered.staked or 0) + account.late
    paid = wagered.paid_cents > 0
    if expected == 0:
        return Wrong("loser-paid" if paid else "loser-not-collected", why.keys)
    if expected == stake and not _kept_coupon(told, wagered):
        return Wrong("push-mishandled", why.keys)
    if not paid:
        return Wrong("winner-collected" if wagered.collected_cents else "winner-unpaid", why.keys)
    if got < expected:
        outside = ("outside the limit",) if cut_though_outside(told, item) else ()
        return Wrong("wager-underpaid", (*why.keys, *outside))
    if item.wager in _ONCE and _times_paid(wagered) > 1:
        return Wrong("wager-paid-twice", (*why.keys, f"{item.wager} once"))
    table = told.house.book.tables.get("main" if told.game.colorado and item.wager != "bonus" else item.wager)
    return Wrong("wager-overpaid" if table is None or table.exact else "paid-above-floor", why.keys)


def _envy(item: WeighedWager, why: Why) -> Wrong | None:
    got = item.handed.back if item.handed is not None else None
    if item.expected is None or got is None:
        return None
    if not got:
        return Wrong("envy-unpaid", tuple(key for key in why.keys if key != "envy own"))
    if got < item.expected:
        return Wrong("wager-underpaid", why.keys)
    return Wrong("wager-overpaid", why.keys)


def _taken_as_abandoned(item: WeighedWager) -> bool:
    """Whether the chips were collected as abandoned by their player."""
    moves = item.wagered.moves if item.wagered is not None else ()
    return any(isinstance(move, WagerCollected) and "abandon" in move.reason.lower() for move in moves)


def _kept_coupon(told: RoundInPlay, wagered: Wagered) -> bool:
    """Whether a win can look like a push here, because the house keeps the winning coupon."""
    return bool(wagered.coupon_cents) and not told.house.options.get("match_play.returned_on_win")


def _times_paid(wagered: Wagered) -> int:
    return sum(isinstance(move, WagerPaid) and bool(move.cents) for move in wagered.moves)


def paid_as_instant_winner(told: RoundInPlay, spot: Spot, wagered: Wagered) -> bool:
    """Whether three undeclared cards were paid as a declared instant winner."""
    if not told.game.colorado or spot.choice == "declare" or wagered.wager not in _INSTANT:
        return False
    cards, staked = tuple(spot.cards), wagered.staked
    if len(cards) != 3 or len(set(cards)) != 3 or UNKNOWN in cards or not staked:
        return False
    line = instant_winner(cards, ace_low=told.house["instant_winner_ace_low"])
    table = told.house.table(_INSTANT[wagered.wager])
    return bool(line) and table is not None and wagered.paid_cents == table.lines[line].winnings(staked)
