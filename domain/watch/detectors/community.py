"""Community cards: not before everybody has decided or been served, in their number, order and place, face up."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from domain.facts.deal import CardDealt, CommunityRevealed, SlotAssigned, StackDelivered
from domain.facts.decisions import DecisionMade, HandSet
from domain.facts.envelope import Fact
from domain.facts.payments import HandVoided
from domain.table.round import Round
from domain.watch.course import raised, street_of
from domain.watch.dealing import STACKS, deal
from domain.watch.detecting import Found, judge
from domain.watch.laws import law

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
        "required": "COL 10(c)",
        "permissible": "COL 11(c)",
        "dealer": "FAH (h)(10)/s1-deal",
    },
)
WRONG = law(
    "community-deal-wrong",
    {
        "flop": "UTH-MA 10(b) s2; UTH-MD 11.C(2)",
        "last two": "UTH-MA 10(d) s2; UTH-MD 11.E(2)",
        "slot 1": "FAH (h)(10)/s1-deal",
        "slot": "FAH (h)(10)/s2",
        "face": "FAH (h)(10)/s1-deal",
        "manual-shoe 2": "COL 7(c)(4)",
        "manual-shoe 3": "COL 7(c)(6)",
        "hand 2": "COL 8(c)(4)",
        "hand 3": "COL 8(c)(6)",
        "spread": "COL 9(c)/s3-spread",
    },
)
COUNT = law(
    "card-count-wrong",
    {
        "": "UTH-MA 1 (Community card); FAH (a)(1)(i); FAH (h)(10)/s2",
        "electronic": "UTH-MD 11.L(2)",
    },
)
_SLOTS = {1: "right", 2: "middle", 3: "left"}  # the stack's cards from the top, as the dealer sees them


def _dealt(told: Round) -> list[CardDealt]:
    """The community cards dealt one by one."""
    return [fact for fact in told.community.dealt if isinstance(fact, CardDealt)]


def _undecided(told: Round, by: Fact, since: int = 0) -> list[int]:
    """The seats dealt in that had not decided between these places in the stream, nor played before."""
    void = {fact.seat for fact in told.of(HandVoided)}
    decided = set()
    for made in told.of(DecisionMade):
        if made.sequence < by.sequence and (made.sequence > since or made.decision != "check"):
            decided.add(made.seat)
    return [
        spot.seat
        for spot in told.wagering
        if spot.dealt and not spot.left and spot.seat not in void and spot.seat not in decided
    ]


def _streets(told: Round) -> Iterator[tuple[str, Fact, Fact]]:
    """The flop and the last two cards: the first and the last fact that shows each."""
    shown: Sequence[Fact] = _dealt(told)
    groups = [shown[:FLOP], shown[FLOP:]] if shown else [[fact] for fact in told.of(CommunityRevealed)[:2]]
    for name, group in zip(("flop", "last two"), groups, strict=False):
        if group:
            yield name, group[0], group[-1]


@judge(EARLY, needs=(DecisionMade,))
def after_every_decision(told: Round) -> Found:
    """At hold'em the flop waits for everybody's first decision, the last two cards for everybody's second."""
    if not told.book.startswith("UTH") or told.voided:
        return
    since = 0
    for name, first, last in _streets(told):
        waiting = _undecided(told, first, since)
        if waiting:
            keys = (name, f"{told.method} {name}") if isinstance(first, CommunityRevealed) else (name,)
            says = f"The {_spoken(name)} came before seat {waiting[0]} had decided."
            yield from raised(told, EARLY, keys, first, says, seat=waiting[0])
        since = last.sequence


def _spoken(name: str) -> str:
    return "flop" if name == "flop" else "last two community cards"


@judge(EARLY, needs=(CardDealt,))
def after_every_hand(told: Round) -> Found:
    """No community card is dealt one by one before every hand is complete."""
    if not told.book.startswith("UTH") or told.voided or not told.community.dealt:
        return
    first, dealt = told.community.dealt[0], deal(told)
    if isinstance(first, StackDelivered) or not dealt.served or first.sequence > dealt.served[-1].sequence:
        return
    late = dealt.served[-1]
    if late.to == "seat" or not dealt.noticed:
        says = "A community card was dealt before every hand had its cards."
        yield from raised(told, EARLY, f"{dealt.method} unserved", first, says, evidence=[late])


@judge(WRONG, COUNT, needs=(CardDealt,))
def in_number_and_face_up(told: Round) -> Found:
    """Three, then two, face up; one by one."""
    if not told.book.startswith("UTH") or told.voided:
        return
    shown = _dealt(told)
    for place, card in enumerate(shown):
        if not card.face_up:
            says = "A community card was dealt face down."
            yield from raised(told, WRONG, "flop" if place < FLOP else "last two", card, says)
            return
    if not shown:
        return
    between = [(group[0].sequence, group[-1].sequence) for group in (shown[:FLOP], shown[FLOP:]) if group]
    for made in told.of(DecisionMade):
        if any(first < made.sequence < last for first, last in between):
            seen = sum(card.sequence < made.sequence for card in shown)
            says = f"{seen} community cards lay there when seat {made.seat} decided, and there are three, then five."
            late = seen > FLOP + 1 or street_of(told, made) == "river"
            yield from raised(told, WRONG, "last two" if late else "flop", shown[seen - 1], says)
            return
    if told.over and len(shown) != FLOP + 2 and not deal(told).noticed:
        yield from _not_five(told, shown)


def _not_five(told: Round, shown: Sequence[CardDealt]) -> Found:
    says = f"{len(shown)} community cards were dealt where the game has five."
    if told.book == "UTH-MD":
        yield from raised(told, WRONG, "flop" if len(shown) < FLOP else "last two", shown[-1], says)
        if told.house["electronic_table"]:
            yield from raised(told, COUNT, "electronic", shown[-1], says)
    else:
        yield from raised(told, COUNT, "", shown[-1], says)


@judge(WRONG, COUNT, needs=(CommunityRevealed,))
def turned_up_in_number(told: Round) -> Found:
    """Where the community cards lie face down from the start, three are turned up, then two."""
    if (
        told.book != "UTH-MD"
        or told.voided
        or not any(isinstance(fact, StackDelivered) for fact in told.community.dealt)
    ):
        return
    shown, names = told.of(CommunityRevealed), ("flop", "last two")
    for reveal, name, due in zip(shown, names, (FLOP, 2), strict=False):
        if reveal.cards and len(reveal.cards) != due:
            says = f"{len(reveal.cards)} community cards were turned up for the {_spoken(name)}."
            yield from raised(told, WRONG, name, reveal, says)
    if told.over and len(shown) < 2 and not deal(told).noticed:
        name = names[len(shown)]
        stack = told.community.dealt[0]
        says = f"The {_spoken(name)} were never turned up." if shown else "The flop was never turned up."
        yield from raised(told, WRONG, name, stack, says)
    sizes = [fact.size for fact in told.community.dealt if isinstance(fact, StackDelivered)]
    if told.house["electronic_table"] and sizes[0] not in (None, FLOP + 2):
        says = f"{sizes[0]} community cards were dealt where the game has five."
        yield from raised(told, COUNT, "electronic", told.community.dealt[0], says)


@judge(EARLY, needs=(DecisionMade,))
def colorado_after_every_decision(told: Round) -> Found:
    """Colorado's three are turned up when everybody has decided."""
    shown = told.of(CommunityRevealed)
    if told.book != "COL" or told.voided or not shown:
        return
    waiting = _undecided(told, shown[0])
    if waiting:
        says = f"The community cards were turned up before seat {waiting[0]} had decided."
        yield from raised(told, EARLY, told.house["version"], shown[0], says, seat=waiting[0])


@judge(WRONG, needs=(CardDealt,))
def colorado_to_the_right(told: Round) -> Found:
    """Each community card goes to the right of those before it."""
    shown = _dealt(told)
    if told.book != "COL" or told.voided or len(shown) < 2:
        return
    for number, (last, card) in enumerate(pairwise(shown), start=2):
        if last.slot is not None and card.slot is not None and card.slot <= last.slot:
            says = f"Community card {number} was not placed to the right of the one before it."
            yield from raised(told, WRONG, f"{told.method} {min(number, 3)}", card, says)


@judge(WRONG, needs=(SlotAssigned, StackDelivered))
def colorado_spread(told: Round) -> Found:
    """The community stack is spread: the top card to the dealer's right, the bottom card to the left."""
    if told.book != "COL" or told.voided or not told.community.dealt or deal(told).method != STACKS:
        return
    assigned = told.of(SlotAssigned)
    for fact in assigned:
        if _SLOTS.get(fact.index) != fact.slot:
            says = f"Card {fact.index} of the community stack was placed at the {fact.slot}."
            yield from raised(told, WRONG, "spread", fact, says)
    if told.over and len(assigned) < len(_SLOTS):
        says = "The community stack was not spread to the right, the middle and the left."
        yield from raised(told, WRONG, "spread", told.community.dealt[-1], says)


@judge(EARLY, needs=(HandSet, CardDealt))
def fast_action_after_the_dealer(told: Round) -> Found:
    """Fast Action's community cards wait until the dealer has set the hand."""
    shown = _dealt(told)
    if told.book != "FAH" or told.voided or not shown:
        return
    if not any(fact.seat is None and fact.sequence < shown[0].sequence for fact in told.of(HandSet)):
        says = "The community cards were dealt before the dealer had set a hand."
        yield from raised(told, EARLY, "dealer", shown[0], says)


@judge(WRONG, COUNT, needs=(CardDealt,))
def fast_action_left_to_right(told: Round) -> Found:
    """Five cards face up, the first farthest to the dealer's left and on to the right."""
    shown = _dealt(told)
    if told.book != "FAH" or told.voided or not shown:
        return
    for number, card in enumerate(shown, start=1):
        if not card.face_up:
            yield from raised(told, WRONG, "face", card, "A community card was dealt face down.")
        if card.slot is not None and card.slot != number and number <= FLOP + 2:
            says = f"Community card {number} went to area {card.slot}, counted from the dealer's left."
            yield from raised(told, WRONG, "slot 1" if number == 1 else "slot", card, says)
            break
    if told.over and len(shown) != FLOP + 2 and not deal(told).noticed:
        yield from _not_five(told, shown)
