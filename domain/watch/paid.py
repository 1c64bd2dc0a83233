"""The questions about a feed that need the amounts owed: whether winnings are in cents, and without the wager."""

from collections.abc import Iterator, Mapping

from domain.feed.counts import OWED
from domain.feed.questions import HUNDRED, Answer
from domain.settlement.outcome import RULING
from domain.table.payouts import banked
from domain.table.round import RoundInPlay
from domain.watch.owed import worked_out


def paid(told: RoundInPlay) -> Mapping[str, Answer]:
    """Return the answers of a finished round: what looks wrong with most of the amounts paid on its winning wagers."""
    won = list(_won(told))
    if not won:
        return {}
    too_small = [each for each in won if abs(each[2] * HUNDRED - each[1]) < HUNDRED]
    too_large = [each for each in won if each[2] == each[1] * HUNDRED]
    with_stake = [each for each in won if each[2] == each[1] + each[0]]
    return {
        code: _says(some[0]) if 2 * len(some) > len(won) else ""
        for code, some in zip(OWED, (too_small, too_large, with_stake), strict=True)
    }


def _won(told: RoundInPlay) -> Iterator[tuple[int, int, int]]:
    """Yield the stake, the winnings owed and the amount paid of each winning wager that was paid."""
    for number, outcomes in worked_out(told).settlement.seats.items():
        for wager, outcome in outcomes.items():
            wagered = told.seats[number].wagers.get(wager)
            if wagered is None or wagered.unseen or not wagered.staked or not wagered.paid_cents:
                continue
            if outcome.returned is None or outcome.basis == RULING or banked(told, wager):
                continue
            if outcome.returned > wagered.staked:
                yield wagered.staked, outcome.returned - wagered.staked, wagered.paid_cents


def _says(won: tuple[int, int, int]) -> str:
    stake, winnings, amount = won
    return f"{amount} cents paid where a wager of {stake} cents wins {winnings} cents"
