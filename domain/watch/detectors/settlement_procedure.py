"""The procedure of settlement: one player at a time at Ultimate, by the house's procedure at Pik-it."""

from collections.abc import Sequence
from itertools import pairwise

from domain.facts.decisions import HandAnnounced
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, WagerCollected, WagerPaid
from domain.spoken import name_of_wager
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge
from domain.watch.detectors.settlement_order import from_the_right, seat_of, turns
from domain.watch.laws import law
from domain.watch.round_order import MAIN, Move, course, raised

PROCEDURE = law(
    "settlement-procedure-wrong",
    {
        "one player at a time": "UTH-MA 10(h) s2; UTH-MD 11.H(2)(d)",
        "1": "PIK 39.10(e); PIK 39.10(e)1",
        "2": "PIK 39.10(e); PIK 39.10(e)2",
    },
)


@judge(PROCEDURE, games=("ultimate",))
def one_player_at_a_time(told: RoundInPlay) -> Found:
    """Check that all wagers of one player are settled before the next player's."""
    if told.voided:
        return
    playing, in_turn = frozenset(course(told).playing), told.game.settled_in_turn
    done: set[int] = set()
    current: Move | None = None
    for move in course(told).moves:
        if move.seat not in playing or move.wager not in in_turn:
            continue
        if current is not None and move.seat != current.seat:
            done.add(current.seat)
            if move.seat in done:
                wager = name_of_wager(move.wager)
                says = (
                    f"Seat {move.seat}'s {wager} was settled after the dealer had begun seat {current.seat}'s wagers."
                )
                parts = {"seat": move.seat, "wager": move.wager, "evidence": [current]}
                yield from raised(told, PROCEDURE, "one player at a time", move, says, **parts)
        current = move


@judge(PROCEDURE, games=("pik-it",))
def by_the_procedure_of_the_house(told: RoundInPlay) -> Found:
    """Check that Pik-it's wagers are settled step by step or player by player, as the house chose."""
    if told.voided:
        return
    playing = frozenset(course(told).playing)
    steps = _steps(told, playing)
    if told.house["settlement_procedure"] == 1:
        yield from _step_by_step(told, steps)
    else:
        yield from _player_by_player(told, steps)


_STEPS = ("announced", "collected", "paid", "picked up")
Step = tuple[int, Fact]


def _steps(told: RoundInPlay, playing: frozenset[int]) -> list[Step]:
    """Return the steps of the procedure, each with its fact; a push has no step."""
    went = course(told)
    steps: list[Step] = [(0, fact) for fact in told.of(HandAnnounced) if fact.seat in playing]
    paid = {(move.seat, move.wager) for move in went.moves if isinstance(move, WagerPaid)}
    for move in went.moves:
        if move.seat in playing and move.wager in MAIN:
            if isinstance(move, WagerPaid):
                steps.append((2, move))
            elif isinstance(move, WagerCollected) and (move.seat, move.wager) not in paid:
                steps.append((1, move))
    steps += [(3, fact) for fact in told.of(HandsCollected) if fact.seat in playing]
    return sorted(steps, key=lambda step: step[1].sequence)


def _step_by_step(told: RoundInPlay, steps: Sequence[Step]) -> Found:
    """Check procedure 1: each step is done for all players, from the right, before the next step begins."""
    reached = 0
    latest: Fact | None = None
    by_step: dict[int, list[Fact]] = {number: [] for number in range(len(_STEPS))}
    for number, fact in steps:
        if number < reached and latest is not None:
            says = f"Seat {seat_of(fact)} was {_STEPS[number]} after a player had been {_STEPS[reached]}."
            yield from raised(told, PROCEDURE, "1", fact, says, seat=seat_of(fact), evidence=[latest])
        elif number > reached:
            reached, latest = number, fact
        by_step[number].append(fact)
    for number in (0, 1, 2):
        yield from from_the_right(told, PROCEDURE, "1", turns(by_step[number]), _STEPS[number])


def _player_by_player(told: RoundInPlay, steps: Sequence[Step]) -> Found:
    """Check procedure 2: each player is announced, settled and picked up before the next, from the right."""
    facts = [fact for _, fact in steps]
    done: set[int] = set()
    for earlier, later in pairwise(facts):
        if seat_of(later) == seat_of(earlier):
            continue
        done.add(seat_of(earlier))
        if seat_of(later) in done:
            says = f"The dealer began with seat {seat_of(earlier)} before finishing seat {seat_of(later)}."
            yield from raised(told, PROCEDURE, "2", later, says, seat=seat_of(later), evidence=[earlier])
    yield from from_the_right(told, PROCEDURE, "2", turns(facts), "settled")
