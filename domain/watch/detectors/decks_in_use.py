"""The decks in play: their number, cards, colors, alternation, and time in use."""

from domain.facts.decks import DeckInspected, DeckReceived, DeckRemoved, DiscardRackEmptied
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, RoundVoided
from domain.facts.shuffles import ShoeLoaded, ShuffleCompleted
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.deck import CARDS, CONTINUOUS, HOUR, Deck, life_hours
from domain.watch.deck_queries import (
    fresh,
    in_service,
    may_have_come_ready,
    raised,
    the_house,
    two_decks,
    well_shuffled,
)
from domain.watch.detecting import DayEnds, DealBegins, Found, RoundEnds, watch
from domain.watch.laws import law

COMPOSITION = law(
    "deck-composition-wrong",
    {
        "": "UTH-MA 2(a); UTH-MD 3.A(1); PIK 39.2(a)/s1; COL 2(a)/s1; FAH (b)(1)/s1",
        "two decks": "PIK 39.2(b)1; COL 2(b)(1)",
    },
)
COVERS = law(
    "cover-card-missing",
    {
        "": "UTH-MA 2(a); UTH-MD 3.A(3); PIK 39.2(a)/s1; COL 2(a)/s1",
        "two decks": "PIK 39.2(b)1; COL 2(b)(1)",
        "automated-shoe": "PIK 39.2(c)",
    },
)
NONCONFORMING = law("cards-nonconforming", {"defects": "UTH-MD 3.A(2)", "cover": "PIK 39.2(a)/s2; COL 2(a)/s2"})
NUMBER = law(
    "deck-number-wrong",
    {
        "shoe": "FAH (b)(1)/s1",
        "batches": "FAH (b)(4); FAH (b)(4)(ii)",
        "too few": "FAH (b)(4)",
        "unequal": "FAH (b)(4)(ii)",
    },
)
UNUSUAL = law("deck-number-unusual", "FAH (b)(4)")
MISMATCHED = law(
    "decks-mismatched",
    {
        "colour": "UTH-MA 2(b)(2); UTH-MD 3.B(2); PIK 39.2(b)2; COL 2(b)(2); FAH (b)(4)(iii)",
        "design": "UTH-MD 3.B(1)",
    },
)
UNSUPPORTED = law("second-deck-without-shuffler", "UTH-MA 2(b); UTH-MD 3.A(1); UTH-MD 3.B; PIK 39.2(b); COL 2(b)")
UNSHUFFLED = law("idle-deck-not-shuffled", "UTH-MA 2(b)(3); UTH-MD 3.B(3); PIK 39.2(b)3; COL 2(b)(3); FAH (b)(4)(iv)")
TURNS = law(
    "deck-not-alternated",
    {
        "": "UTH-MA 2(b)(4); UTH-MD 3.B(4); PIK 39.2(b)4; COL 2(b)(4); FAH (b)(4)(v)",
        "idle": "FAH (e)(8)(ii)/s2",
    },
)
MIXED = law("discard-rack-mixed", "UTH-MA 2(b)(5); UTH-MD 3.B(5); PIK 39.2(b)5; COL 2(b)(5); FAH (b)(4)(vi)")
OVERDUE = law("deck-change-overdue", {"hand": "UTH-MD 3.C(1)", "shoe": "UTH-MD 3.C(2)", "day": "FAH (d)(5)"})

_USUAL = (12, 16)  # two batches, each with the six or eight decks of a shoe


@watch(DealBegins, laws=(COMPOSITION, COVERS, NONCONFORMING, NUMBER, UNUSUAL, MISMATCHED))
def a_deck_is_as_it_should_be(day: TableDay, deals: Fact) -> Found:
    """Check a new deck when its first card is dealt, because until then it could be sent back."""
    deck = day.decks.at_hand
    if deck is None or deck.rounds or deck.received is None:
        return
    for check in (_whole, _covered, _conforming, _as_many_decks, _told_apart):
        yield from check(day, deals, deck, deck.received)


def _whole(day: TableDay, deals: Fact, deck: Deck, came: DeckReceived) -> Found:
    """Check that a deck has 52 cards, or 52 for each deck in a shoe."""
    keys = ("", "two decks") if two_decks(day) else ""
    if not day.game.many_rounds_a_shoe and came.decks != 1:
        says = f"{deck.called} arrived as {number_of(came.decks, 'deck')}, but the game uses one at a time."
        yield from raised(day, COMPOSITION, keys, deals, says, evidence=[came])
    elif came.cards is not None and came.cards != CARDS * came.decks:
        says = f"{deck.called} arrived with {number_of(came.cards, 'card')} instead of {CARDS * came.decks}."
        yield from raised(day, COMPOSITION, keys, deals, says, evidence=[came])


def _covered(day: TableDay, deals: Fact, deck: Deck, came: DeckReceived) -> Found:
    """Check that a deck has the cover cards its book requires, in Massachusetts yellow or green."""
    keys = ["", "two decks"] if two_decks(day) else [""]
    least = day.game.cover_cards
    if day.game.pik_it and day.method == "automated-shoe":
        least += 1
        keys.append("automated-shoe")
    colors = day.game.cover_colors
    wrong_color = colors and came.cover_color and not came.cover_color.endswith(colors)
    if came.cover_cards is not None and came.cover_cards < least:
        has = number_of(came.cover_cards, "cover card")
        says = f"{deck.called} arrived with {has} and needs {least}."
    elif wrong_color:
        says = f"The cover cards of {deck.name} are {came.cover_color}, but must be yellow or green."
    else:
        return
    yield from raised(day, COVERS, keys, deals, says, evidence=[came])


def _conforming(day: TableDay, deals: Fact, deck: Deck, came: DeckReceived) -> Found:
    """Check that no defective card is played and that the cover card differs from the backs."""
    if came.cover_color and came.cover_color == came.back_color:
        says = f"The cover card of {deck.name} has the color of the backs, {came.back_color}."
        yield from raised(day, NONCONFORMING, "cover", deals, says, evidence=[came])
    defective = [fact for fact in deck.steps if isinstance(fact, DeckInspected) and fact.defects]
    if defective:
        many = number_of(defective[-1].defects, "defective card")
        says = f"{deck.called} was dealt although its inspection had found {many}."
        yield from raised(day, NONCONFORMING, "defects", deals, says, evidence=defective)


def _as_many_decks(day: TableDay, deals: Fact, deck: Deck, came: DeckReceived) -> Found:
    """Check that Fast Action uses six or eight decks as the house chose, or two equal batches of at least twelve."""
    if not day.game.many_rounds_a_shoe:
        return
    house = the_house(day)
    if not two_decks(day):
        if came.decks != house["decks"]:
            has = number_of(came.decks, "deck")
            says = f"{deck.called} has {has}, but this house plays Fast Action with {house['decks']}."
            yield from raised(day, NUMBER, "shoe", deals, says, evidence=[came])
        return
    batches = [each.received for each in day.decks.here() if each.received is not None]
    counts, total = [batch.decks for batch in batches], sum(batch.decks for batch in batches)
    shows = list[Fact](batches)
    if len(batches) != 2:
        here = number_of(len(batches), "batch is", "batches are")
        says = f"With a shuffler there must be two batches, but {here} here."
        yield from raised(day, NUMBER, "batches", deals, says, evidence=shows)
    elif counts[0] != counts[1]:
        one, other = (number_of(count, "deck") for count in counts)
        says = f"One batch has {one} and the other {other}, but they must be equal."
        yield from raised(day, NUMBER, "unequal", deals, says, evidence=shows)
    elif total < int(house.book.value("least_decks_with_shuffler")):
        says = f"The two batches have {number_of(total, 'deck')} in all, but the minimum with a shuffler is 12."
        yield from raised(day, NUMBER, "too few", deals, says, evidence=shows)
    elif total not in _USUAL:
        says = f"The two batches have {number_of(total, 'deck')} in all, which is neither twice six nor twice eight."
        yield from raised(day, UNUSUAL, "", deals, says, evidence=shows)


def _told_apart(day: TableDay, deals: Fact, deck: Deck, came: DeckReceived) -> Found:
    """Check that alternating decks have backs of different colors and, in Maryland, one design."""
    other = day.decks.last
    if other is None or other.gone is not None or other.received is None:
        return
    there = other.received
    wrong, keys = [], []
    if came.back_color and came.back_color == there.back_color:
        wrong.append(f"backs of the same color, {came.back_color}")
        keys.append("colour")
    if came.design and there.design and came.design != there.design and MISMATCHED.cites(day.book, "design"):
        wrong.append(f"the designs {there.design} and {came.design}")
        keys.append("design")
    if wrong:
        says = f"{other.name} and {came.deck}, which alternate, have {' and '.join(wrong)}."
        yield from raised(day, MISMATCHED, keys, deals, says, evidence=[there, came])


def _in_turn(day: TableDay) -> tuple[Deck, Deck] | None:
    """Return the deck at hand and the deck dealt before it, if both are at the table."""
    deck, last = day.decks.at_hand, day.decks.last
    if deck is None or last is None or last is deck or last.gone is not None:
        return None
    return deck, last


@watch(DealBegins, laws=(UNSUPPORTED,), needs=(DeckRemoved,))
def two_decks_need_a_shuffler(day: TableDay, deals: Fact) -> Found:
    """Check that a second deck is played only if a machine shuffles one deck while the other is dealt."""
    held = _in_turn(day)
    if held is None or in_service(day, "shuffler"):
        return
    if not held[0].new and not day.decks.device_lost:  # reported when it began
        return
    says = f"{held[0].called} was alternated with {held[1].name}, but no shuffler is in use."
    yield from raised(day, UNSUPPORTED, "", deals, says)


@watch(DealBegins, laws=(UNSHUFFLED,), needs=(ShuffleCompleted,))
def the_idle_deck_was_shuffled_by_the_device(day: TableDay, deals: Fact) -> Found:
    """Check that the device shuffles each alternating deck between its uses."""
    held = _in_turn(day)
    if held is None or not in_service(day, "shuffler") or not fresh(day, held[0]) or day.method == CONTINUOUS:
        return
    deck, other = held
    if well_shuffled(deck) and deck.shuffled is not None and deck.shuffled.method == "device":
        return
    if deck.shuffled is None and may_have_come_ready(day, deck):
        return
    how = "shuffled by hand" if well_shuffled(deck) else "not shuffled"
    says = f"{deck.called} was {how} while {other.name} was in play, but the device must shuffle it."
    yield from raised(day, UNSHUFFLED, "", deals, says)


@watch(DealBegins, laws=(TURNS,), needs=(RoundVoided,))
def two_decks_take_turns(day: TableDay, deals: Fact) -> Found:
    """Check that alternating decks change every round, and alternating batches every shoe."""
    decks, deck = day.decks, day.decks.at_hand
    if deck is None or not two_decks(day) or not in_service(day, "shuffler"):
        return
    by_shoe = day.game.many_rounds_a_shoe
    if by_shoe and (not fresh(day, deck) or day.method == CONTINUOUS):
        return
    before = decks.last_shoe if by_shoe else decks.last
    # The cards of a void round may be dealt again after a reshuffle (UTH-MA 15(b), FAH (i)(5)).
    if before is not deck or decks.last_void:
        return
    other = decks.other(deck)
    if other is None or other.jammed is not None or other.miscounted is not None:
        return
    what = "shoe" if by_shoe else "round"
    says = f"{deck.called} was used for two {what}s in a row, but it alternates with {other.name}."
    yield from raised(day, TURNS, ("", "idle") if decks.idled is not None else "", deals, says)


@watch(RoundEnds, laws=(MIXED,), needs=(DiscardRackEmptied, RoundCompleted, ShoeLoaded))
def the_rack_holds_one_deck(day: TableDay, _: Fact) -> Found:
    """Check that one deck's cards leave the rack before the first card of the other deck goes in."""
    decks = day.decks
    if decks.mixed is not None and two_decks(day):
        says = f"Cards of {decks.in_play} went into the discard rack while cards of {decks.mixed_with} were in it."
        yield from raised(day, MIXED, "", decks.mixed, says)


@watch(DealBegins, laws=(OVERDUE,))
def decks_are_changed_in_time(day: TableDay, deals: Fact) -> Found:
    """Check that Maryland's decks are used for at most four hours if dealt from the hand, and else eight."""
    deck = day.decks.at_hand
    if deck is None or deck.overdue or deck.since is None:
        return
    by_hand = deck.by_hand or day.method == "hand"
    hours = life_hours(the_house(day).book, by_hand=by_hand)
    if hours is not None and deals.at - deck.since > hours * HOUR:
        minutes = (deals.at - deck.since) // (HOUR // 60)
        says = (
            f"{deck.called} was dealt {minutes // 60} h {minutes % 60:02} min after it arrived; the "
            f"limit is {hours} hours."
        )
        shows = [deck.received] if deck.received is not None else []
        yield from raised(day, OVERDUE, "hand" if by_hand else "shoe", deals, says, evidence=shows)


@watch(DayEnds, laws=(OVERDUE,), needs=(DeckReceived,))
def cards_are_changed_every_day(day: TableDay, closes: Fact) -> Found:
    """Check that Fast Action's cards are changed at least once each gaming day."""
    if day.rounds_opened and not any(deck.received for deck in day.decks.known.values()):
        says = "Fast Action was dealt for the whole gaming day without a change of cards."
        yield from raised(day, OVERDUE, "day", closes, says)
