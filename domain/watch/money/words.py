"""What was wrong with a wager's money, in a sentence for the operator."""

from domain.money import dollars
from domain.watch.weighed import Weighed

NAMES = {
    "cover_all": "Cover All",
    "six_card": "six card bonus",
    "ultimate_pairs": "ultimate pairs",
    "bad_beat": "bad beat",
    "play_the_board": "play the board",
    "envy": "envy bonus",
    "bonus5": "5 card bonus",
    "bonus3": "3 card bonus",
    "play3": "play 3",
    "play5": "play 5",
    "original": "original wager",
    "split": "split wager",
}


def name_of(wager: str) -> str:
    """A wager as the floor calls it."""
    return NAMES.get(wager, wager)


def says(code: str, item: Weighed, because: str) -> str:
    """What happened to the chips, why it is not what the rule gives, and by how much."""
    start = f"Seat {item.spot.seat}'s {name_of(item.wager)} {_happened(item)}"
    if because:
        start += f", though {because}"
    return f"{start}; {_due(code, item)}."


def _happened(item: Weighed) -> str:
    wagered, account = item.wagered, item.handed
    if wagered is None or not wagered.moves:
        return "was not paid" if item.wager == "envy" else "was left lying"
    parts = []
    if wagered.paid_cents:
        parts.append(f"was paid {dollars(wagered.paid_cents)}")
    if wagered.collected_cents:
        whole = wagered.collected_cents == wagered.staked
        parts.append("was collected" if whole else f"lost {dollars(wagered.collected_cents)} to the house")
    if wagered.returned_cents and not wagered.paid_cents:
        whole = wagered.returned_cents == wagered.staked
        parts.append("was returned" if whole else f"had {dollars(wagered.returned_cents)} returned")
    if account is not None and account.lying:
        parts.append(f"had {dollars(account.lying)} left lying")
    return " and ".join(parts) or "was moved by nothing"


def _due(code: str, item: Weighed) -> str:
    """What should have been handed back in all, and the difference."""
    expected, account = item.expected, item.handed
    if expected is None:
        return "the round ended without its settlement"
    stake = item.wagered.staked if item.wagered is not None else 0
    if expected == 0:
        due = "nothing was due" if item.wager == "envy" else "it is lost"
    elif expected == stake:
        due = f"its {dollars(stake)} should have gone back"
    else:
        due = f"{dollars(expected)} was due in all"
    if account is None or code == "wager-unsettled":
        return due
    over = account.back + account.lying - expected
    return f"{due}: {dollars(abs(over))} too {'much' if over > 0 else 'little'}" if over else due
