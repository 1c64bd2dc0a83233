"""A settled round as a table for people."""

from consumers.settling.hands import hands
from domain.cards import show
from domain.money import dollars
from domain.settlement import Settlement
from domain.settlement.case_format import WorkedCase
from domain.settlement.outcome import CERTAIN, RULING, UNDECIDABLE, Outcome

_HEAD = ("seat", "wager", "staked", "returned", "clause", "how sure")
_RIGHT = (2, 3)


def table(case: WorkedCase, settlement: Settlement) -> str:
    """A title line for the round, then one row per wager, in the order the dealer settles."""
    played, house = case.played, case.house
    title = f"{case.id or 'round'}  {house.book.title}"
    if settlement.round_void:
        title += f"  VOID by {settlement.void_clause}"
    cards = [f"dealer {show(played.dealer)}"] if played.dealer else []
    cards += [f"community {show(played.community)}"] if played.community else []
    cards += [f"seat {seat.seat} {show(seat.cards)}" for seat in played.seats]
    rows = [_HEAD]
    for number in dict.fromkeys((*settlement.order, *settlement.seats)):  # a void hand has no turn of its own
        for wager, outcome in settlement.seats[number].items():
            stake = played.seat(number).wagers.get(wager)
            staked = dollars(stake) if wager in played.seat(number).wagers else ""
            rows.append((str(number), wager, staked, dollars(outcome.returned), outcome.clause, _sure(outcome)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = ["  ".join(_cell(text, column, widths) for column, text in enumerate(row)).rstrip() for row in rows]
    findings = [f"house: {finding.says} ({finding.clause})" for finding in house.findings]
    names = [
        f"{'dealer' if whose == 'dealer' else f'seat {whose}'}: {hand.name}" for whose, hand in hands(case).items()
    ]
    meters = [f"meter {name}: {dollars(cents)}" for name, cents in (settlement.meters_after or {}).items()]
    about = [line for line in (title, " | ".join(cards), " | ".join(names)) if line]
    return "\n".join([*about, *lines, *meters, *findings, ""])


def _cell(text: str, column: int, widths: list[int]) -> str:
    return text.rjust(widths[column]) if column in _RIGHT else text.ljust(widths[column])


def _sure(outcome: Outcome) -> str:
    if outcome.basis == UNDECIDABLE:
        return f"undecidable without {', '.join(outcome.needs)}"
    if outcome.basis == RULING and outcome.alternatives:
        stands, reversed_ = outcome.alternatives
        return f"needs a ruling: {dollars(stands)} if it stands, {dollars(reversed_)} if reversed"
    return {RULING: "needs a ruling", CERTAIN: CERTAIN}.get(outcome.basis, outcome.basis)
