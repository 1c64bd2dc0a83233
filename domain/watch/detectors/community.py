"""Community cards: after every decision and every hand, in the right number, order and place, face up."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec

from domain.facts.deal import CardDealt, CommunityRevealed, SlotAssigned, StackDelivered
from domain.facts.decisions import DecisionMade, HandSet
from domain.facts.envelope import Fact
from domain.facts.payments import HandVoided
from domain.spoken import number_of
from domain.table.round import RoundInPlay
from domain.watch.dealing import STACKS, deal
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised, street_of
from domain.watch.wager_order import NEVER, placing

FLOP = 3
EARLY = law(
    "community-early",
    {
        "flop": "UTH-MA 10(b) s2; UTH-MD 11.C(2)",
        "last two": "UTH-MA 10(d) s2; UTH-MD 11.E(2)",
        "manual-shoe unserved": "UTH-MA 10(b) s2; UTH-MD 8.D(3)",
        "hand unserved": "UTH-MA 10(b) s2; UTH-MD 9.B(3)",
        "automated-shoe unserved": "UTH-MA 10(b) s2",
        "automated-shoe flop": "UTH-MD 10.B(2)",
    },
)
WRONG = law(
    "community-deal-wrong",
    {
        "flop": "UTH-MA 10(b) s2; UTH-MD 11.C(2)",
        "last two": "UTH-MA 10(d) s2; UTH-MD 11.E(2)",
    },
)
COUNT = law("card-count-wrong", {"five": "UTH-MA 1 (Community card)", "electronic": "UTH-MD 11.L(2)"})
TURNED_UP = law(
    "community-deal-wrong",
    {"flop": "UTH-MD 11.C(2)", "last two": "UTH-MD 11.E(2)"},
)
COLORADO_EARLY = law("community-early", {"required": "COL 10(c)", "permissible": "COL 11(c)"})
COLORADO_WRONG = law(
    "community-deal-wrong",
    {
        "manual-shoe 2": "COL 7(c)(4)",
        "manual-shoe 3": "COL 7(c)(6)",
        "hand 2": "COL 8(c)(4)",
        "hand 3": "COL 8(c)(6)",
        "spread": "COL 9(c)/s3-spread",
    },
)
FAST_ACTION_EARLY = law("community-early", "FAH (h)(10)/s1-deal")
FAST_ACTION_WRONG = law(
    "community-deal-wrong",
    {"slot 1": "FAH (h)(10)/s1-deal", "face": "FAH (h)(10)/s1-deal", "slot": "FAH (h)(10)/s2"},
)
FAST_ACTION_COUNT = law("card-count-wrong", "FAH (a)(1)(i); FAH (h)(10)/s2")
_SLOTS = {1: "right", 2: "middle", 3: "left"}  # the stack's cards from the top, as the dealer sees them


class Board(msgspec.Struct, gc=False):
    """The community cards of hold'em against the decisions: who had decided when each street was shown."""

    flop: Sequence[Fact]  # the facts that dealt it or turned it up
    last_two: Sequence[Fact]
    by_flop: set[int] = set()  # seats that had decided before the flop
    done: set[int] = set()  # seats among them that had played
    between: set[int] = set()  # seats that decided between the two streets
    torn: DecisionMade | None = None  # a decision made while a street was being dealt


def _dealt(told: RoundInPlay) -> list[CardDealt]:
    """Return the community cards dealt one by one."""
    return [fact for fact in told.community.dealt if isinstance(fact, CardDealt)]


def _board(told: RoundInPlay) -> Board | None:
    """Return the board, or None before a community card is shown."""
    found: Board | None = told.worked_out.get("board")
    if found is None and told.community.dealt:
        found = told.worked_out["board"] = _made_board(told)
    return found


def _made_board(told: RoundInPlay) -> Board:
    shown: Sequence[Fact] = _dealt(told)
    if shown:
        found = Board(shown[:FLOP], shown[FLOP:])
    else:
        revealed = told.of(CommunityRevealed)
        found = Board(revealed[:1], revealed[1:2])
    flop, flopped = _span(found.flop)
    turn, turned = _span(found.last_two)
    for made in told.of(DecisionMade):
        place = made.sequence
        if place < flop:
            found.by_flop.add(made.seat)
            if made.decision != "check":
                found.done.add(made.seat)
        elif place < turn and place > flopped:
            found.between.add(made.seat)
        elif (place < flopped or turn < place < turned) and found.torn is None:
            found.torn = made
    return found


def _span(street: Sequence[Fact]) -> tuple[int, int]:
    return (street[0].sequence, street[-1].sequence) if street else (NEVER, NEVER)


def _in_play(told: RoundInPlay) -> list[int]:
    """Return the seats dealt in that must decide."""
    void = {fact.seat for fact in told.of(HandVoided)} if HandVoided in told.told else ()
    return [spot.seat for spot in placing(told).spots if spot.dealt and not spot.left and spot.seat not in void]


@judge(EARLY, needs=(DecisionMade,))
def after_every_decision(told: RoundInPlay) -> Found:
    """Check that the flop waits for every first decision, and the last two cards for every second one."""
    board = _board(told)
    if board is None or not board.flop or told.voided:
        return
    seats = _in_play(told)
    waiting = [seat for seat in seats if seat not in board.by_flop]
    if waiting:
        first = board.flop[0]
        keys = ("flop", f"{told.method} flop") if isinstance(first, CommunityRevealed) else ("flop",)
        says = f"The flop came before seat {waiting[0]} had decided."
        yield from raised(told, EARLY, keys, first, says, seat=waiting[0])
    if board.last_two:
        waiting = [seat for seat in seats if seat not in board.done and seat not in board.between]
        if waiting:
            says = f"The last two community cards came before seat {waiting[0]} had decided."
            yield from raised(told, EARLY, "last two", board.last_two[0], says, seat=waiting[0])


def _spoken(name: str) -> str:
    return "flop" if name == "flop" else "last two cards"


@judge(EARLY, needs=(CardDealt,))
def after_every_hand(told: RoundInPlay) -> Found:
    """Check that every hand is complete before a community card is dealt one by one."""
    if told.voided or not told.community.dealt:
        return
    first, dealt = told.community.dealt[0], deal(told)
    if isinstance(first, StackDelivered) or not dealt.served or first.sequence > dealt.served[-1].sequence:
        return
    late = dealt.served[-1]
    if late.to == "seat" or not dealt.noticed:
        says = "A community card was dealt before every hand had its cards."
        yield from raised(told, EARLY, f"{dealt.method} unserved", first, says, evidence=[late])


@judge(WRONG, COUNT, needs=(CardDealt,))
def in_number_and_face_up(told: RoundInPlay) -> Found:
    """Check that three community cards, then two, are dealt one by one and face up."""
    shown = told.community.dealt
    if told.voided or not shown or not isinstance(shown[0], CardDealt):
        return
    down = next((at for at, card in enumerate(shown) if isinstance(card, CardDealt) and not card.face_up), None)
    if down is not None:
        says = "A community card was dealt face down."
        yield from raised(told, WRONG, "flop" if down < FLOP else "last two", shown[down], says)
        return
    board = _board(told)
    if board is not None and board.torn is not None:
        made = board.torn
        seen = sum(card.sequence < made.sequence for card in shown)
        says = (
            f"Seat {made.seat} decided with {number_of(seen, 'community card')} on the table, "
            "but the game deals three, then five."
        )
        late = seen > FLOP + 1 or street_of(told, made) == "river"
        yield from raised(told, WRONG, "last two" if late else "flop", shown[seen - 1], says)
    elif told.over and len(shown) != FLOP + 2 and not deal(told).noticed:
        yield from _not_five(told, shown)


def _were(number: int | None) -> str:
    return number_of(number, "community card was", "community cards were")


def _not_five(told: RoundInPlay, shown: Sequence[Fact]) -> Found:
    says = f"{_were(len(shown))} dealt, but the game deals five."
    if COUNT.cites(told.book, "five"):
        yield from raised(told, COUNT, "five", shown[-1], says)
        return
    yield from raised(told, WRONG, "flop" if len(shown) < FLOP else "last two", shown[-1], says)
    if told.house["electronic_table"]:
        yield from raised(told, COUNT, "electronic", shown[-1], says)


@judge(TURNED_UP, COUNT, needs=(CommunityRevealed,), keys=("flop",))
def turned_up_in_number(told: RoundInPlay) -> Found:
    """Check that three community cards, then two, are turned up if they are dealt face down at the start."""
    stack = told.community.dealt[0] if told.community.dealt else None
    if told.voided or not isinstance(stack, StackDelivered):
        return
    shown, names = told.of(CommunityRevealed), ("flop", "last two")
    for reveal, name, due in zip(shown, names, (FLOP, 2), strict=False):
        if reveal.cards and len(reveal.cards) != due:
            says = f"{_were(len(reveal.cards))} turned up for the {_spoken(name)}."
            yield from raised(told, TURNED_UP, name, reveal, says)
    if told.over and len(shown) < 2 and not deal(told).noticed:
        name = names[len(shown)]
        says = "The flop was never turned up." if not shown else "The last two community cards were never turned up."
        yield from raised(told, TURNED_UP, name, stack, says)
    if told.house["electronic_table"] and stack.size not in (None, FLOP + 2):
        says = f"{_were(stack.size)} dealt, but the game deals five."
        yield from raised(told, COUNT, "electronic", stack, says)


@judge(COLORADO_EARLY, needs=(DecisionMade,))
def colorado_after_every_decision(told: RoundInPlay) -> Found:
    """Check that Colorado's three community cards stay down until every player has decided."""
    shown = told.of(CommunityRevealed)
    if told.voided or not shown:
        return
    decided = {made.seat for made in told.of(DecisionMade) if made.sequence < shown[0].sequence}
    waiting = [seat for seat in _in_play(told) if seat not in decided]
    if waiting:
        says = f"The community cards were turned up before seat {waiting[0]} had decided."
        yield from raised(told, COLORADO_EARLY, told.house["version"], shown[0], says, seat=waiting[0])


@judge(COLORADO_WRONG, needs=(CardDealt,))
def colorado_to_the_right(told: RoundInPlay) -> Found:
    """Check that each community card is placed to the right of those before it."""
    shown = _dealt(told)
    if told.voided:
        return
    for number, (last, card) in enumerate(pairwise(shown), start=2):
        if last.slot is not None and card.slot is not None and card.slot <= last.slot:
            says = f"Community card {number} was not placed to the right of the one before it."
            yield from raised(told, COLORADO_WRONG, f"{told.method} {min(number, 3)}", card, says)


@judge(COLORADO_WRONG, needs=(SlotAssigned, StackDelivered))
def colorado_spread(told: RoundInPlay) -> Found:
    """Check that the community stack is spread from the top card at the dealer's right to the "
    "bottom card at the left."""
    if told.voided or not told.community.dealt or deal(told).method != STACKS:
        return
    assigned = told.of(SlotAssigned)
    for fact in assigned:
        if _SLOTS.get(fact.index) != fact.slot:
            says = f"Card {fact.index} of the community stack was placed at the {fact.slot}."
            yield from raised(told, COLORADO_WRONG, "spread", fact, says)
    if told.over and len(assigned) < len(_SLOTS):
        says = "The community stack was not spread to the right, the middle and the left."
        yield from raised(told, COLORADO_WRONG, "spread", told.community.dealt[-1], says)


@judge(FAST_ACTION_EARLY, needs=(HandSet, CardDealt))
def fast_action_after_the_dealer(told: RoundInPlay) -> Found:
    """Check that Fast Action's dealer sets the hand before dealing the community cards."""
    shown = _dealt(told)
    if told.voided or not shown:
        return
    if not any(fact.seat is None and fact.sequence < shown[0].sequence for fact in told.of(HandSet)):
        says = "The community cards were dealt before the dealer had set a hand."
        yield from raised(told, FAST_ACTION_EARLY, "", shown[0], says)


@judge(FAST_ACTION_WRONG, FAST_ACTION_COUNT, needs=(CardDealt,))
def fast_action_left_to_right(told: RoundInPlay) -> Found:
    """Check that Fast Action's five community cards are dealt face up, from the dealer's far left to the right."""
    shown = _dealt(told)
    if told.voided or not shown:
        return
    for number, card in enumerate(shown, start=1):
        if not card.face_up:
            yield from raised(told, FAST_ACTION_WRONG, "face", card, "A community card was dealt face down.")
        if card.slot is not None and card.slot != number and number <= FLOP + 2:
            says = f"Community card {number} went to area {card.slot}, counted from the dealer's left."
            yield from raised(told, FAST_ACTION_WRONG, "slot 1" if number == 1 else "slot", card, says)
            break
    if told.over and len(shown) != FLOP + 2 and not deal(told).noticed:
        says = f"{_were(len(shown))} dealt, but the game deals five."
        yield from raised(told, FAST_ACTION_COUNT, "", shown[-1], says)
