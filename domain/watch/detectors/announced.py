"""Announced hands: whether each was announced, and correctly."""

from collections.abc import Iterator, Sequence

from domain.facts.decisions import HandAnnounced, ThreeDesignated
from domain.facts.envelope import Fact
from domain.hands import three_card
from domain.hands.heard import NO_QUALIFY, QUALIFIES, Heard, agrees, heard
from domain.settlement.pikit import least_qualifying_value
from domain.table.round import RoundInPlay
from domain.table.spots import codes
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.owed import owed
from domain.watch.rankings import MISRANKED, mistaken
from domain.watch.round_order import before, course, raised
from domain.watch.values import DEALER, RANKERS, MadeHand, hand_of, hands_of, six_cards_of, three_of_five

UNANNOUNCED = law(
    "hand-unannounced",
    {
        "dealer": "UTH-MA 10(f) s2; UTH-MD 11.G(3); PIK 39.10(d)/s2-announce",
        "player": "UTH-MA 10(h) s1; UTH-MD 11.H(2)(c)",
        "procedure 1": "PIK 39.10(e)1i",
        "procedure 2": "PIK 39.10(e)2i",
        "no qualify": "PIK 39.10(d)/s2-qualify",
        "dealer designates": "PIK 39.10(d)/s3",
        "dealer's three": "PIK 39.10(d)/s4",
    },
)
QUALIFICATION = law("dealer-qualification-misjudged", 'PIK 39.1 "Qualifying hand"; PIK 39.10(d)/s2-qualify')

_NOTHING = Heard("high_card")
_THREE = 3


def whose(told: RoundInPlay, seat: int) -> str:
    """Return the key of a player's or the dealer's hand in the laws on announcing."""
    if seat == DEALER:
        return "dealer"
    match told.game.kind:
        case "pik-it":
            return f"procedure {told.house['settlement_procedure']}"
        case "colorado":
            return str(told.house["version"])
        case _:
            return "player"


def name_of(seat: int) -> str:
    """Return the name of a hand in a sentence."""
    return "The dealer" if seat == DEALER else f"Seat {seat}"


@judge(MISRANKED)
def announced_as_it_is(told: RoundInPlay) -> Found:
    """Check that each announced hand is what its cards make; an announcement that fits no known hand is ignored."""
    for fact in told.of(HandAnnounced):
        seat = fact.seat or DEALER
        if _plainly_true(told, fact, seat):
            continue
        candidates = list(_candidates(told, seat, fact.of_cards))
        said = _placed(told, fact) if candidates else None
        if said is None or any(agrees(said, made.value, made.categories) for made in candidates):
            continue
        yield from _misranked(told, fact, seat, said, candidates)


def _plainly_true(told: RoundInPlay, fact: HandAnnounced, seat: int) -> bool:
    """Whether the words are true of the hand that settlement made of the cards, as in nearly every announcement."""
    spot = told.seats.get(seat)
    plays_three = spot is not None and spot.choice == "play3"
    value = owed(told).hands.get(seat) if (fact.of_cards == _THREE) is plays_three else None
    said = heard(fact.hand) if value is not None else None
    ranker = RANKERS["seventeen" if told.game.fast_action else "three" if plays_three else "five"]
    return value is not None and said is not None and agrees(said, value, ranker.CATEGORIES)


def _candidates(told: RoundInPlay, seat: int, of_cards: int) -> Iterator[MadeHand]:
    """Return the hands these words may be about."""
    if of_cards == 6:
        six = six_cards_of(told, seat)
        candidates: tuple[MadeHand | None, ...] = (six,)
    elif told.game.pik_it and seat == DEALER:
        candidates = (hand_of(told, seat, "three" if of_cards == 3 else "five"),)
    elif told.game.pik_it and of_cards == 3:
        candidates = (three_of_five(told, seat),)
    else:
        candidates = hands_of(told, seat)
        if len(candidates) < _hands_set(told, seat):
            return  # one half of a split is unknown, and the words may be about it
    yield from (made for made in candidates if made is not None)


def _hands_set(told: RoundInPlay, seat: int) -> int:
    spot = told.seats.get(seat)
    return 2 if spot is not None and spot.second else 1


def _placed(told: RoundInPlay, fact: HandAnnounced) -> Heard | None:
    said = heard(fact.hand)
    if said is None or not said.says:
        return said
    # At Ultimate, "no qualify" means less than a pair; at Pik-it the words say nothing about the hand itself.
    return _NOTHING if said.says == NO_QUALIFY and told.game.holdem and fact.seat is None else None


def _misranked(told: RoundInPlay, fact: HandAnnounced, seat: int, said: Heard, candidates: Sequence[MadeHand]) -> Found:
    made = candidates[0]
    who = "dealer's three" if seat == DEALER and made.order == "three" else whose(told, seat)
    touched = tuple(mistaken(said, made))
    keys = touched if made.order == "six" else (*touched, who, "hand")
    names = " or ".join(each.name for each in candidates)
    says = f'{name_of(seat)}\'s hand was announced as "{fact.hand}", but its cards make {names}.'
    yield from raised(told, MISRANKED, keys, fact, says, seat=fact.seat)


@judge(MISRANKED, games=("pik-it",))
def designated_the_best_three(told: RoundInPlay) -> Found:
    """Check that Pik-it's dealer sets aside the cards that make the best three-card hand."""
    for fact in told.of(ThreeDesignated):
        best = hand_of(told, DEALER, "three")
        if best is None or len(fact.cards) != 3 or "??" in fact.cards:
            continue
        laid = codes(fact.cards)
        own = three_card.of_three(laid) if len(set(laid)) == 3 and set(laid) <= set(told.dealer.cards) else None
        if own == best.value:
            continue
        if own is None:
            says = f"The dealer designated {' '.join(fact.cards)}, which are not three of the dealer's five cards."
            yield from raised(told, MISRANKED, ("dealer designates", "hand"), fact, says)
            continue
        category = three_card.CATEGORIES[three_card.category(own)]
        keys = (*mistaken(Heard(category, (own >> 16 & 15,)), best), "dealer designates", "hand")
        says = (
            f"The dealer designated {three_card.named(own)} as the best three cards, but the five "
            f"cards hold {best.name}."
        )
        yield from raised(told, MISRANKED, keys, fact, says)


@judge(UNANNOUNCED, needs=(HandAnnounced,), games=("ultimate", "pik-it"))
def every_hand_is_announced(told: RoundInPlay) -> Found:
    """Check that the dealer's hand and each hand compared with it are announced before settlement."""
    if told.voided:
        return
    went, seats = course(told), course(told).playing
    if seats or (told.dealer.dealt and set(told.seats) - went.apart):
        yield from _dealers_words(told, course(told).comparing)
    for seat in seats:
        first, said = went.compared.get(seat), went.announced.get(seat)
        if first is not None and not (said and before(said[0], first)):
            says = f"Seat {seat} was settled before its hand was announced."
            yield from raised(told, UNANNOUNCED, whose(told, seat), first, says, seat=seat)


def _dealers_words(told: RoundInPlay, deadline: Fact | None) -> Found:
    if deadline is None:
        return
    said = [fact for fact in course(told).announced.get(DEALER, ()) if before(fact, deadline)]
    if not any(fact.of_cards != 3 and _names_a_hand(told, fact) for fact in said):
        yield from raised(
            told, UNANNOUNCED, "dealer", deadline, "The dealer's hand was not announced before settlement."
        )
    if not any(fact.of_cards == 3 for fact in said):
        says = "The dealer's best three-card hand was not announced before settlement."
        yield from raised(told, UNANNOUNCED, "dealer's three", deadline, says)


def _names_a_hand(told: RoundInPlay, fact: HandAnnounced) -> bool:
    """Whether the announcement names a hand: "no qualify" does at Ultimate (less than a pair), and not at Pik-it."""
    if not told.game.pik_it:
        return True
    said = heard(fact.hand)
    return said is None or not said.says


@judge(UNANNOUNCED, needs=(ThreeDesignated,), games=("pik-it",))
def three_cards_are_designated(told: RoundInPlay) -> Found:
    """Check that Pik-it's dealer sets the best three cards aside before comparing any wager with them."""
    if told.voided or not course(told).playing:
        return
    first = course(told).comparing
    designated = next(iter(told.of(ThreeDesignated)), None)
    if first is not None and not before(designated, first):
        says = "The dealer did not set aside the best three-card hand before settlement."
        yield from raised(told, UNANNOUNCED, "dealer designates", first, says)


@judge(QUALIFICATION, UNANNOUNCED, needs=(HandAnnounced,), games=("pik-it",))
def no_qualify_is_said_when_it_is_so(told: RoundInPlay) -> Found:
    """Check that "no qualify" is announced exactly when the dealer must qualify and does not."""
    five = hand_of(told, DEALER, "five")
    if told.voided or five is None or not course(told).announced.get(DEALER):
        return
    must, does = told.house["dealer_qualifies"], five.value >= least_qualifying_value(told.house)
    says_so = _statement(told, NO_QUALIFY)
    if says_so is not None and (does or not must):
        why = f"holds {five.name}, which qualifies" if does else "does not have to qualify at this table"
        says = f'"No qualify" was announced, but the dealer {why}.'
        yield from raised(told, QUALIFICATION, "", says_so, says)
    elif must and not does and says_so is None:
        claims = _statement(told, QUALIFIES)
        if claims is not None:
            says = f"The dealer's hand was announced as qualifying, but {five.name} does not qualify."
            yield from raised(told, QUALIFICATION, "", claims, says)
            return
        last = course(told).announced[DEALER][-1]
        says = f'"No qualify" was not announced, but the dealer holds {five.name}.'
        yield from raised(told, UNANNOUNCED, "no qualify", last, says)


def _statement(told: RoundInPlay, what: str) -> HandAnnounced | None:
    for fact in course(told).announced[DEALER]:
        said = heard(fact.hand)
        if said is not None and said.says == what:
            return fact
    return None
