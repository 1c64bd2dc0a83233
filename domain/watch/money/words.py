"""What was wrong with a wager's money, in a sentence for the operator."""

from domain.money import dollars
from domain.spoken import name_of_wager
from domain.table.spots import Wagered
from domain.watch.owed_vs_paid import Weighed

SEEN = "the cards that were seen decide it"  # where no hand can be named


def says(code: str, item: Weighed, because: str) -> str:
    """What happened to the chips, what follows from what, and by how much they differ."""
    start = f"Seat {item.spot.seat}'s {name_of_wager(item.wager)} {_happened(item)}; "
    if not because or (because == SEEN and item.expected is None):  # what nobody can work out, no card decides
        return f"{start}{_due(code, item)}."
    return f"{start}{because}, so {_due(code, item)}."


def _happened(item: Weighed) -> str:
    wagered, account = item.wagered, item.handed
    if wagered is None or not wagered.moves:
        return "was not paid" if item.wager == "envy" else "was left lying"
    parts = []
    if wagered.paid_cents:
        parts.append(f"was paid {dollars(wagered.paid_cents)}")
    if wagered.collected_cents:
        parts.append(_collected(item, wagered))
    if wagered.returned_cents and not wagered.paid_cents:
        whole = wagered.returned_cents == wagered.staked
        parts.append("was returned" if whole else f"had {dollars(wagered.returned_cents)} returned")
    if account is not None and account.lying:
        parts.append(f"had {dollars(account.lying)} left lying")
    return " and ".join(parts) or "was moved by nothing"


def _collected(item: Weighed, wagered: Wagered) -> str:
    """What the house took of it; that it took more than lay there is said, for the code alone does not say it."""
    cents, staked = wagered.collected_cents, wagered.staked
    if cents == staked:
        return "was collected"
    if staked is not None and not wagered.paid_cents:
        lay = staked + (item.handed.late if item.handed is not None else 0)
        if cents > lay:
            return f"had {dollars(cents)} collected where {dollars(lay)} lay"
    return f"lost {dollars(cents)} to the house"


def _due(code: str, item: Weighed) -> str:
    """What should have become of it, and the difference."""
    expected, account = item.expected, item.handed
    if expected is None:
        return "the round ended without its settlement"
    stake = item.wagered.staked if item.wagered is not None else None
    if expected == 0:
        due = "nothing is due" if stake is None else "it is lost"
    elif stake is None or item.wager == "progressive":
        due = f"{dollars(expected)} is due"
    elif expected == stake:
        due = f"its {dollars(stake)} goes back"
    elif expected > stake:
        due = f"it wins {dollars(expected - stake)}"
    else:
        due = f"{dollars(expected)} of it goes back"
    if account is None or code == "wager-unsettled":
        return due
    over = account.back + account.lying - expected
    return f"{due}: {dollars(abs(over))} too {'much' if over > 0 else 'little'}" if over else due
