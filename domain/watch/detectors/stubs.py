"""Stub counts: on time, face down on the layout, matching the deal, and then into the rack."""

from domain.facts.deal import CardDealt
from domain.facts.envelope import Fact
from domain.facts.payments import MisdealDetermined, RoundCompleted, RoundVoided, StubCounted, StubDiscarded
from domain.facts.shuffles import ShuffleCompleted
from domain.spoken import number_of
from domain.table.day import TableDay
from domain.table.deck_rounds import counted_by_device
from domain.table.round import RoundInPlay
from domain.table.stubs import Stub, stub
from domain.watch import deck_queries
from domain.watch.detecting import Found, RoundEnds, judge, watch
from domain.watch.laws import law
from domain.watch.round_order import raised

_COUNTS = {
    "manual-shoe": "UTH-MA 7(f) s1; UTH-MD 8.E; PIK 39.7(e)/s1; COL 7(e)/s1",
    "hand": "UTH-MA 8(e) s1; UTH-MD 9.C; PIK 39.8(e)/s1; COL 8(e)/s1",
    "automated-shoe": "UTH-MA 9(e) s1; UTH-MD 10.C; PIK 39.9(e)/s1; COL 9(e)/s1",
}
OVERDUE = law("stub-count-overdue", {**_COUNTS, "no device count": "PIK 39.7(f)/s1; COL 7(f)/s1"})
UNCOUNTED = law("deck-uncounted", "PIK 39.7(e)/s1")
MISMATCH = law(
    "stub-count-mismatch",
    {
        "": 'UTH-MA 1 (Stub); PIK 39.1 "Stub"; COL 1 "Stub"; UTH-MA 7(f)(2) s1; PIK 39.7(e)2/s1; COL 7(e)(2)/s1',
        "manual-shoe": "UTH-MD 8.G",
        "hand": "UTH-MD 9.E",
        "automated-shoe": "UTH-MD 10.E",
    },
)
UNRESOLVED = law(
    "stub-discrepancy-unresolved",
    {
        "": "UTH-MA 7(f)(2) s1; PIK 39.7(e)2/s1; COL 7(e)(2)/s1",
        "manual-shoe": "UTH-MD 8.G",
        "hand": "UTH-MA 8(e) s2; UTH-MD 9.E; PIK 39.8(e)/s2; COL 8(e)/s2",
        "automated-shoe": "UTH-MA 9(e) s2; UTH-MD 10.E; PIK 39.9(e)/s2; COL 9(e)/s2",
    },
)
TECHNIQUE = law(
    "stub-count-technique-wrong",
    {
        "": "UTH-MA 7(f) s2; PIK 39.7(e)/s2; COL 7(e)/s2",
        "manual-shoe": "UTH-MD 8.E",
        "hand": "UTH-MA 8(e) s2; UTH-MD 9.C; PIK 39.8(e)/s2; COL 8(e)/s2",
        "automated-shoe": "UTH-MA 9(e) s2; UTH-MD 10.C; PIK 39.9(e)/s2; COL 9(e)/s2",
    },
)
_RACKED = {
    "manual-shoe": "UTH-MA 7(e); UTH-MD 8.D(4); PIK 39.7(d); COL 7(d)",
    "hand": "UTH-MA 8(d); UTH-MD 9.B(4); PIK 39.8(d); COL 8(d)",
    "automated-shoe": "UTH-MA 9(d) s2; UTH-MD 10.B(5); PIK 39.9(d); COL 9(d)",
    "counted manual-shoe": "UTH-MA 7(f)(1); UTH-MD 8.F; PIK 39.7(e)1; COL 7(e)(1)",
    "counted hand": "UTH-MA 7(f)(1); UTH-MD 9.D; PIK 39.7(e)1; COL 7(e)(1)",
    "counted automated-shoe": "UTH-MA 7(f)(1); UTH-MD 10.D; PIK 39.7(e)1; COL 7(e)(1)",
}
DISCARDED = law("stub-not-discarded", _RACKED)
EXPOSED = law("stub-exposed", {**_RACKED, "count": "UTH-MA 7(f) s2"})


@watch(RoundEnds, laws=(OVERDUE, UNCOUNTED), needs=(RoundVoided, ShuffleCompleted, StubCounted))
def stubs_are_counted_in_time(day: TableDay, ends: Fact) -> Found:
    """Check that five rounds in a row are not dealt without a count, unless the shuffler counts the deck.

    A void round is one of the five. Its cards are collected before there is a stub, so its count may wait for the next
    round.
    """
    told, deck, decks = deck_queries.the_round(day), day.decks.at_hand, day.decks
    if deck is None or told.voided or told.of(StubCounted):
        return
    most = _most(day)
    if not (told.dealing or told.dealt_unseen) or (day.game.device_count_excuses and counted_by_device(deck)):
        return
    passed = decks.rounds_since_count + 1
    if passed >= most and (not passed % most or decks.last_void):
        keys = [day.method]
        if deck_queries.counting(day):
            keys.append("no device count")
        says = f"{passed} rounds were dealt without a stub count, but a count is due at least every {most}."
        # The text is read as any five rounds in a row; in blocks of five, nine rounds always break the rule.
        basis = "certain" if passed >= 2 * most - 1 else "reading"
        yield from deck_queries.raised(day, OVERDUE, keys, ends, says, round=told.number, basis=basis)
    elif deck_queries.two_decks(day) and not (deck.rounds_since_count + 1) % most:
        says = f"{deck.called} was dealt {deck.rounds_since_count + 1} times without a count of its own stub."
        yield from deck_queries.raised(day, UNCOUNTED, "", ends, says, round=told.number, basis="reading")


def _most(day: TableDay) -> int:
    return int(deck_queries.the_house(day).book.value("rounds_between_stub_counts"))


@judge(MISMATCH)
def stubs_are_what_the_deal_leaves(told: RoundInPlay) -> Found:
    """Check that the stub and the cards dealt, burned and set aside make the whole deck."""
    found = stub(told)
    if found is None or not found.mismatch:
        return
    says = f"The stub count was {number_of(found.counted.cards, 'card')}, but the cards dealt leave {found.expected}."
    short = None if found.expected is None else found.expected - found.counted.cards
    yield from raised(told, MISMATCH, ("", told.method), found.counted, says, short_cards=short)


@judge(UNRESOLVED, needs=(MisdealDetermined,))
def wrong_counts_are_resolved(told: RoundInPlay) -> Found:
    """Check that the dealer determines the cause of a wrong count."""
    found = stub(told)
    if found is None or not found.wrong or found.determined is not None:
        return
    says = f"The stub count was {number_of(found.counted.cards, 'card')}{_but(found)}, and nobody determined the cause."
    yield from raised(told, UNRESOLVED, ("", told.method), found.counted, says)


def _but(found: Stub) -> str:
    if found.mismatch:
        return f" instead of {found.expected}"
    return " after a deal that gave a place a wrong number of cards"


@judge(TECHNIQUE, EXPOSED)
def stubs_are_counted_face_down_on_the_layout(told: RoundInPlay) -> Found:
    """Check that the stub is counted face down on the layout."""
    for counted in told.of(StubCounted):
        if not counted.face_down or not counted.on_layout:
            how = "face up" if not counted.face_down else "away from the layout"
            yield from raised(told, TECHNIQUE, ("", told.method), counted, f"The stub was counted {how}.")
        if not counted.face_down:
            says = "The cards of the stub were shown during the count."
            yield from raised(told, EXPOSED, ("count", f"counted {told.method}"), counted, says)


@judge(DISCARDED, needs=(StubDiscarded,))
def stubs_go_into_the_rack(told: RoundInPlay) -> Found:
    """Check that the stub goes into the rack after the deal; a deck found wrong leaves the table instead."""
    if not (told.dealing or told.dealt_unseen) or told.voided or not told.over:
        return
    counted = stub(told)
    if counted is not None and (counted.wrong or counted.determined is not None):
        return
    gone = told.of(StubDiscarded)
    if not gone:
        ends = told.of(RoundCompleted)[0]
        says = "The stub was not put into the discard rack by the end of the round."
        yield from raised(told, DISCARDED, _key(told), ends, says)
        return
    dealt = told.of(CardDealt)
    if dealt and dealt[-1].sequence > gone[0].sequence:
        says = "The stub was put into the discard rack before all cards of the round had been dealt."
        yield from raised(told, DISCARDED, _key(told), gone[0], says, evidence=[dealt[-1]])


@judge(EXPOSED)
def stubs_stay_unseen(told: RoundInPlay) -> Found:
    """Check that no card of the stub is shown on its way to the rack."""
    for gone in told.of(StubDiscarded):
        if gone.exposed:
            says = "Cards of the stub were shown when it was put into the discard rack."
            yield from raised(told, EXPOSED, _key(told), gone, says)


def _key(told: RoundInPlay) -> str:
    return f"counted {told.method}" if told.of(StubCounted) else told.method
