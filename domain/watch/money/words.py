"""The fault in a wager's money, in a sentence for the operator."""

from domain.money import dollars
from domain.spoken import name_of_wager
from domain.table.spots import Wagered
from domain.watch.owed_vs_paid import WeighedWager

SEEN = "the cards on record decide it"  # if no hand can be named


def says(code: str, item: WeighedWager, because: str) -> str:
    """Return a sentence that says what happened to the chips, why it is wrong, and by how much."""
    start = f"Seat {item.spot.seat}'s {name_of_wager(item.wager)} {_happened(item)}; "
    if not because or (because == SEEN and item.expected is None):  # an unknown amount has no deciding cards
        return f"{start}{_due(code, item)}."
    return f"{start}{because}, so {_due(code, item)}."


def _happened(item: WeighedWager) -> str:
    wagered, account = item.wagered, item.handed
    if wagered is None or not wagered.moves:
        return "was not paid" if item.wager == "envy" else "was left on the layout"
    parts = []
    if wagered.paid_cents:
        parts.append(f"was paid {dollars(wagered.paid_cents)}")
    if wagered.collected_cents:
        parts.append(_collected(item, wagered))
    if wagered.returned_cents and not wagered.paid_cents:
        whole = wagered.returned_cents == wagered.staked
        parts.append("was returned" if whole else f"had {dollars(wagered.returned_cents)} returned")
    if account is not None and account.lying:
        parts.append(f"had {dollars(account.lying)} left on the layout")
    return " and ".join(parts) or "did not move"


def _collected(item: WeighedWager, wagered: Wagered) -> str:
    """Return what the house collected, and say so if that exceeds the wager, because the code does not."""
    cents, staked = wagered.collected_cents, wagered.staked
    if cents == staked:
        return "was collected"
    if staked is not None and not wagered.paid_cents:
        lay = staked + (item.handed.late if item.handed is not None else 0)
        if cents > lay:
            return f"had {dollars(cents)} collected although only {dollars(lay)} was there"
    return f"lost {dollars(cents)} to the house"


def _due(code: str, item: WeighedWager) -> str:
    """Return what the wager is due, and the difference."""
    expected, account = item.expected, item.handed
    if expected is None:
        return "it had to be settled before the round ended"
    stake = item.wagered.staked if item.wagered is not None else None
    if expected == 0:
        due = "nothing is due" if stake is None else "it is lost"
    elif stake is None or item.wager == "progressive":
        due = f"{dollars(expected)} is due"
    elif expected == stake:
        due = f"its {dollars(stake)} is due back"
    elif expected > stake:
        due = f"it wins {dollars(expected - stake)}"
    else:
        due = f"{dollars(expected)} of it is due back"
    if account is None or code == "wager-unsettled":
        return due
    over = account.back + account.lying - expected
    return f"{due}: {dollars(abs(over))} too {'much' if over > 0 else 'little'}" if over else due
