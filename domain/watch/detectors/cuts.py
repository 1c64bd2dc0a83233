"""Cuts: made when required, deep enough, completed, with a cover card, and repeated when ordered."""

from domain.facts.decks import CoverCardPlaced, CoverCardRemoved
from domain.facts.envelope import Fact
from domain.facts.shuffles import CutCompleted, CutPerformed, RecutOrdered, ShuffleCompleted
from domain.spoken import number_of, plain
from domain.table.day import TableDay
from domain.table.deck import IDLE, Cut, Deck
from domain.table.deck_shuffles import in_its_round
from domain.watch.deck_queries import cut_owed, fresh, raised, the_house, well_shuffled
from domain.watch.detecting import DealBegins, Found, watch
from domain.watch.laws import law

MISSING = law(
    "cut-missing",
    {
        "": "UTH-MA 4(b)(2); UTH-MD 5.D(2); PIK 39.6(b)2; COL 5(b)(2); FAH (e)(2)(ii)",
        "idle": "FAH (e)(8)(i)",
    },
)
BEFORE_CUT = law("deal-before-cut", "UTH-MA 4(c)(2); PIK 39.6(c)2; COL 5(c)(2)")
SHALLOW = law(
    "cut-too-shallow",
    {
        "": "UTH-MA 4(c)(1)(ii); UTH-MD 5.F; PIK 39.6(c)1ii; COL 5(c)(1)(ii); FAH (e)(5)",
        "recut": "UTH-MA 4(d); UTH-MD 5.G",
    },
)
DEEP = law("cut-unusually-deep", "PIK 39.6(c)1ii; COL 5(c)(1)(ii)")
UNFINISHED = law(
    "cut-unfinished", "UTH-MA 4(c)(1)(iii); UTH-MD 5.F(1); PIK 39.6(c)1iii; COL 5(c)(1)(iii); FAH (e)(6)/s1"
)
UNEXPECTED = law("unexpected-cut", "UTH-MA 4(b)(1); UTH-MD 5.D(1); PIK 39.6(b)1; COL 5(b)(1); FAH (e)(2)(i)")
COVER = law("cover-card-missing", "UTH-MA 4(c)(1)(i); PIK 39.6(c)1i; COL 5(c)(1)(i)")
MISPLACED = law("cover-card-misplaced", "UTH-MA 4(c)(1)(iv); PIK 39.6(c)1iv; COL 5(c)(1)(iv)")
RECUT_MISSING = law("recut-missing", "UTH-MA 4(d); UTH-MD 5.G; PIK 39.6(d); COL 5(d)")
RECUT = law("recut-out-of-order", "UTH-MA 4(d); UTH-MD 5.G; PIK 39.6(d); COL 5(d)")


def to_be_dealt(day: TableDay) -> tuple[Deck, Cut] | None:
    """Return the deck at hand and its cut, or None if the cards of this deal were not cut."""
    deck = day.decks.at_hand
    if deck is None or deck.cut is None or not fresh(day, deck):
        return None
    return deck, deck.cut


@watch(DealBegins, laws=(MISSING,), needs=(CutPerformed, ShuffleCompleted))
def cards_are_cut(day: TableDay, deals: Fact) -> Found:
    """Check that cards shuffled by hand or before delivery are cut before they are dealt."""
    deck = day.decks.at_hand
    if deck is None or deck.cut is not None or not fresh(day, deck) or not cut_owed(day, deck):
        return
    how = "by hand" if deck.shuffled is not None else "before it came"
    says = f"{deck.called} was shuffled {how} and dealt without a cut."
    yield from raised(day, MISSING, ("", "idle") if deck.cycle == IDLE else "", deals, says)


@watch(CutPerformed, CutCompleted, laws=(BEFORE_CUT,), needs=(ShuffleCompleted,))
def cards_are_dealt_after_the_cut(day: TableDay, late: CutPerformed | CutCompleted) -> Found:
    """Check that no card is dealt before the cut is complete."""
    deck = day.decks.known.get(late.deck)
    if deck is None or deck.within_round is not None:
        return
    if in_its_round(day.decks, deck) and cut_owed(day, deck):
        what = "cut" if isinstance(late, CutPerformed) else "fully cut"
        yield from raised(day, BEFORE_CUT, "", late, f"{deck.called} was {what} after cards had been dealt from it.")


@watch(DealBegins, laws=(SHALLOW, DEEP), needs=(ShuffleCompleted,))
def cuts_are_deep_enough(day: TableDay, deals: Fact) -> Found:
    """Check that a cut takes at least ten cards from the top, or at Fast Action from either end."""
    held = to_be_dealt(day)
    if held is None or not cut_owed(day, held[0]):
        return
    deck, cut = held
    depth, least = cut.performed.depth, int(the_house(day).book.value("least_cut_cards"))
    if depth is None:
        return
    below = (cut.performed.of_cards or deck.size) - depth
    ends = min(depth, below) if day.game.many_rounds_a_shoe else depth
    if ends < least:
        where = "from one end" if ends != depth else "from the top"
        says = f"{deck.called} was cut {number_of(ends, 'card')} {where}, but the minimum is {least}."
        keys = ("", "recut") if cut.ordered is not None else ""
        yield from raised(day, SHALLOW, keys, cut.performed, says, evidence=[deals])
    elif below < least:
        says = f"{deck.called} was cut so deep that only {max(below, 0)} cards were left below."
        yield from raised(day, DEEP, "", cut.performed, says, evidence=[deals])


@watch(DealBegins, laws=(UNFINISHED,), needs=(CutCompleted, ShuffleCompleted))
def cuts_are_completed(day: TableDay, deals: Fact) -> Found:
    """Check that the two parts are exchanged before a card is dealt."""
    held = to_be_dealt(day)
    if held is not None and held[1].completed is None and cut_owed(day, held[0]):
        says = f"{held[0].called} was dealt before its cut was completed."
        yield from raised(day, UNFINISHED, "", deals, says, evidence=[held[1].performed])


@watch(DealBegins, laws=(UNEXPECTED,), needs=(ShuffleCompleted,))
def machine_shuffled_cards_are_not_cut(day: TableDay, deals: Fact) -> Found:
    """Report a cut after a machine shuffle, which the rules neither prescribe nor forbid."""
    held = to_be_dealt(day)
    if held is None or not well_shuffled(held[0]) or held[1].ordered is not None:
        return
    deck, cut = held
    if deck.shuffled is not None and deck.shuffled.method == "device":
        says = f"{deck.called} was cut although a machine had shuffled it."
        yield from raised(day, UNEXPECTED, "", cut.performed, says, evidence=[deck.shuffled, deals])


@watch(DealBegins, laws=(COVER,), needs=(CoverCardPlaced, ShuffleCompleted))
def cuts_have_a_cover_card(day: TableDay, deals: Fact) -> Found:
    """Check that the stack to cut is placed on a cover card in front of the deck."""
    held = to_be_dealt(day)
    if held is not None and held[1].covered is None and cut_owed(day, held[0]):
        says = f"{held[0].called} was cut without a cover card in front of it."
        yield from raised(day, COVER, "", held[1].performed, says, evidence=[deals])


@watch(DealBegins, laws=(MISPLACED,), needs=(CoverCardRemoved, ShuffleCompleted))
def the_cover_card_goes_to_the_rack(day: TableDay, deals: Fact) -> Found:
    """Check that the cover card goes to the discard rack after the cut."""
    held = to_be_dealt(day)
    if held is None or not cut_owed(day, held[0]):
        return
    deck, gone = held[0], held[1].uncovered
    if gone is None:
        says = f"{deck.called} was dealt before its cover card was put into the discard rack after the cut."
        yield from raised(day, MISPLACED, "", deals, says, evidence=[held[1].performed])
    elif gone.to != "discard-rack":
        says = (
            f"The cover card of {deck.called[0].lower()}{deck.called[1:]} went to the {plain(gone.to)} after the cut."
        )
        yield from raised(day, MISPLACED, "", gone, says, evidence=[deals])


@watch(DealBegins, laws=(RECUT_MISSING,), needs=(CutPerformed,))
def ordered_recuts_are_made(day: TableDay, deals: Fact) -> Found:
    """Check that no card is dealt before an ordered recut."""
    deck = day.decks.at_hand
    if deck is not None and deck.recut is not None:
        says = f"{deck.called} was dealt without the recut that the {deck.recut.by} ordered."
        yield from raised(day, RECUT_MISSING, "", deals, says, evidence=[deck.recut])


@watch(RecutOrdered, laws=(RECUT,))
def recuts_are_ordered_in_time(day: TableDay, order: RecutOrdered) -> Found:
    """Check that a recut is ordered after a cut, before the first card, by a person with the authority."""
    may = day.game.recut_by
    told, deck = day.round, day.decks.cutting
    wrong = []
    if told is not None and told.dealing and not told.over and (deck is None or deck.within_round is None):
        wrong.append("after cards had been dealt")
    elif (deck is None or deck.cut is None) and "cut-performed" not in day.unrecorded:
        wrong.append("before the cards had been cut")
    if order.by not in may:
        wrong.append(f"by the {order.by}")
    if wrong:
        yield from raised(day, RECUT, "", order, f"A recut was ordered {' and '.join(wrong)}.")
