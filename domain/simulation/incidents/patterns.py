"""Patterns over many rounds: decisions that follow hidden cards, errors in one direction, a slow dealer.

Each is added while it happens. The wrong payments of a dumping dealer are also incidents of their own. All the
others show only as a pattern over many rounds, and the label's code is the name of that pattern.
"""

from collections.abc import Callable, Sequence

import msgspec

from domain.facts.decisions import DecisionMade, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.facts.wagers import WagerPlaced
from domain.odds.play import uth_preflop
from domain.scoring import DETERMINISTIC, STATISTICAL, Label
from domain.settlement.played import Cards
from domain.simulation.edits import Edit, Facts, said
from domain.simulation.incidents.changes import before, gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, ULTIMATE, StretchUnfitError, incident
from domain.simulation.incidents.owed import losing, of_table, paying, raising
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven, cents_of
from domain.simulation.incidents.stage import numbers, with_seat
from domain.simulation.pace import SECOND
from domain.simulation.plans import RoundPlan
from domain.simulation.table import TableInPlay
from domain.simulation.weaving import hands_to_come

HIDDEN, NEIGHBOURS = "decisions-follow-hidden-cards", "decisions-follow-neighbours-cards"
ONE_WAY, SLOW = "payment-errors-one-way", "settlement-slow"
_KING, _LOW = 11, 3  # ranks, with the two as 0


def _seat_of(plan: RoundPlan) -> int:
    """Return the player concerned: the one nearest to the dealer's left."""
    return numbers(plan)[0]


def knowing(card: int, blind_table: str) -> Callable[[Sequence[int], Sequence[int]], str]:
    """Return the strategy of a player who has seen one of the dealer's cards and raises on what beats it."""

    def decide(own: Sequence[int], board: Sequence[int]) -> str:
        if not board:
            return "play:4" if _raises(own, card, blind_table) else "check"
        ranks = [held >> 2 for held in board]
        paired = any(held >> 2 in ranks for held in own) or own[0] >> 2 == own[1] >> 2
        dealer_paired = card >> 2 in ranks
        if len(board) == 3:
            return "play" if paired and not dealer_paired else "check"
        return "fold" if dealer_paired and not paired else "play" if paired or max(own) > card else "fold"

    return decide


def _raises(own: Sequence[int], card: int, blind_table: str) -> bool:
    """Return whether to bet four times the ante: against a low card, but not into an ace or king with less."""
    high, low = sorted((held >> 2 for held in own), reverse=True)
    known = card >> 2
    if high == low:
        return high > known or known < _KING
    if known >= _KING and high < known:
        return False
    return bool(uth_preflop(own, blind_table)) or (high > known and low >= _LOW)


def _seeing(seats: Callable[[RoundPlan], Sequence[int]]) -> Callable[[TableInPlay, RoundPlan, int], RoundPlan]:
    def staging(table: TableInPlay, plan: RoundPlan, _: int) -> RoundPlan:
        if plan.irregularity is not None or not plan.shuffled:
            raise StretchUnfitError("something else happens in this round")
        card = hands_to_come(table, plan)["dealer", 0][-1]
        blind_table = str(table.house.options.get("blind_table") or "A")
        for number in seats(plan):
            plan = with_seat(plan, number, strategy=knowing(card, blind_table), acts=())
        return plan

    return staging


def _pattern(scene: PlayedStretch, code: str, seat: int | None = None) -> Woven:
    """Return the unchanged facts with the label of their joint pattern."""
    own = msgspec.structs.replace(scene.trace(code, seat=seat), last_round=scene.rounds[-1])
    return Woven(tuple(scene.facts), (scene.label(own),))


@incident(
    "hole-carding",
    ULTIMATE,
    "A player sees the last of the dealer's cards as it is dealt, and plays by it.",
    code=HIDDEN,
    kind=STATISTICAL,
    staging=_seeing(lambda plan: numbers(plan)[:1]),
    rounds=40,
)
def hole_carding(scene: PlayedStretch) -> Woven:
    """Return the stretch of a player who sees a hole card, with any dealer."""
    return _pattern(scene, HIDDEN)


@incident(
    "flashing-dealer",
    ULTIMATE,
    "A dealer flashes the bottom card of every packet, and the whole table plays by it.",
    code=HIDDEN,
    kind=STATISTICAL,
    staging=_seeing(numbers),
    rounds=40,
)
def flashing_dealer(scene: PlayedStretch) -> Woven:
    """Return the stretch of a dealer whose flashed cards the whole table uses."""
    return _pattern(scene, HIDDEN)


def _signalled(plan: RoundPlan) -> Sequence[int]:
    return numbers(plan)[-1:]


@incident(
    "signalling",
    ULTIMATE,
    "A dealer tells one player by signs what the dealer's card is.",
    code=HIDDEN,
    kind=STATISTICAL,
    staging=_seeing(_signalled),
    rounds=30,
)
def signalling(scene: PlayedStretch) -> Woven:
    """Return the stretch of a dealer who signals to one player."""
    return _pattern(scene, HIDDEN)


def sharing(neighbours: Cards, blind_table: str) -> Callable[[Sequence[int], Sequence[int]], str]:
    """Return the strategy of a player who knows the neighbors' cards and raises weak hands with live pairs only."""

    def decide(own: Sequence[int], board: Sequence[int]) -> str:
        out = sum(held >> 2 in {card >> 2 for card in own} for held in neighbours)
        if not board:
            return "play:4" if uth_preflop(own, blind_table) and not out else "check"
        ranks = [held >> 2 for held in board]
        paired = any(held >> 2 in ranks for held in own)
        if len(board) == 3:
            return "play" if paired else "check"
        return "play" if paired or max(own) >> 2 >= _KING else "fold"

    return decide


def _colluding(table: TableInPlay, plan: RoundPlan, nth: int) -> RoundPlan:
    """Have the players show each other their cards."""
    if plan.irregularity is not None or not plan.shuffled or (not nth and len(plan.seats) < 2):
        raise StretchUnfitError("there is nobody to collude with")
    hands = hands_to_come(table, plan)
    blind_table = str(table.house.options.get("blind_table") or "A")
    for number in numbers(plan):
        seen = [hands["seat", other] for other in numbers(plan) if other != number]
        others = tuple(card for held in seen for card in held)
        plan = with_seat(plan, number, strategy=sharing(others, blind_table), acts=())
    return plan


@incident(
    "collusion",
    ULTIMATE,
    "Players tell each other their cards, and decide by all of them.",
    code=NEIGHBOURS,
    kind=STATISTICAL,
    staging=_colluding,
    rounds=40,
)
def collusion(scene: PlayedStretch) -> Woven:
    """Return the stretch of colluding players, whose small gain shows in borderline hands."""
    return _pattern(scene, NEIGHBOURS)


@incident(
    "slow-rolls",
    ALL_BOOKS,
    "A dealer lets the players wait between the reveal of the dealer's hand and the settlement.",
    code=SLOW,
    kind=STATISTICAL,
    rounds=12,
)
def slow_rolls(scene: PlayedStretch) -> Woven:
    """Return the stretch of a dealer who waits twenty seconds before each settlement."""
    shown = {fact.source_key for fact in scene.all(HandRevealed, seat=None)}

    def edit(facts: Sequence[Fact]) -> Facts:
        late, told_now = 0, []
        for fact in facts:
            told_now.append(msgspec.structs.replace(fact, at=fact.at + late))
            late += 20 * SECOND if fact.source_key in shown else 0
        return told_now

    woven = _pattern(scene, SLOW)
    return msgspec.structs.replace(woven, facts=tuple(edit(woven.facts)))


def dumped(scene: PlayedStretch, most: int, each: str) -> Woven:
    """Return the stretch with occasional wrong payments to one player, each an incident of its own."""
    seats = [fact.seat for fact in scene.all(WagerPlaced)]
    scene.wants(seats)
    friend = max(sorted(set(seats)), key=seats.count)
    facts = list(scene.facts)
    labels: list[Label] = []
    for number in scene.rounds:
        if len(labels) >= most:
            break
        one = PlayedStretch(scene.incident, scene.table, [fact for fact in facts if fact.round == number], scene.chance)
        wrong = _gift(one, friend)
        if wrong is None:
            continue
        edits, label = wrong
        for edit in edits:
            facts = edit(facts)
        labels.append(msgspec.structs.replace(label, incident=each, kind=DETERMINISTIC))
    scene.wants(len(labels) > 2)
    own = msgspec.structs.replace(scene.trace(ONE_WAY, seat=friend), last_round=scene.rounds[-1])
    return Woven(tuple(facts), (scene.label(own), *labels))


def _gift(scene: PlayedStretch, seat: int) -> tuple[list[Edit], Label] | None:
    """Return a wrong payment for this player in this round with its label, or None."""
    main = ("ante", "play", "play3", "play5", "original", "bet")
    played = scene.has(DecisionMade, seat=seat, decision=lambda held: held in ("play", "play3", "play5"))
    if not played and scene.book != "FAH":
        return None
    for held in scene.wagers(seat=seat, wager=lambda wager: wager in main):
        if held.coupon or scene.has(DecisionMade, seat=seat, decision=lambda word: word in ("natural", "declare")):
            continue
        if held.paid:
            return _overpaid(scene, held)
        if held.collected == held.stake and not held.back and len(held.moves) == 1:
            word = said("wager-returned", seat, held.wager, held.stake)
            code = "loser-not-collected"
            clauses = raising(code, losing(scene, held))
            own = scene.trace(code, seat=seat, wager=held.wager, clauses=clauses, expected=0, observed=held.stake)
            return [before(held.moves[0], word), gone(*held.moves)], scene.label(own, _LOOKS)
    return None


_LOOKS = (
    "hand-misranked",
    "winner-misjudged",
    "settlement-basis-wrong",
    "settlement-procedure-wrong",
    "dealer-qualification-misjudged",
)


def _overpaid(scene: PlayedStretch, held: UntouchedWager) -> tuple[list[Edit], Label]:
    paid = next(move for move in held.moves if isinstance(move, WagerPaid))
    code = "wager-overpaid" if of_table(scene, held) else "paid-above-floor"
    own = scene.trace(
        code,
        seat=held.seat,
        wager=held.wager,
        clauses=raising(code, paying(scene, held.wager)),
        expected=held.back,
        observed=held.back + held.stake,
    )
    return [told(paid, cents=cents_of(paid) + held.stake)], scene.label(own, _LOOKS)


@incident(
    "dealer-dumping",
    ALL_BOOKS,
    "A dealer pays one player too much whenever nobody looks.",
    code=ONE_WAY,
    kind=STATISTICAL,
    rounds=30,
)
def dealer_dumping(scene: PlayedStretch) -> Woven:
    """Return the stretch of a dealer whose errors all favor one seat."""
    return dumped(scene, 12, "dealer-dumping")
