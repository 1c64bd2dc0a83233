"""Wagers placed too late, changed or withdrawn after the call, and a missing call: past posting, capping, pinching."""

from domain.facts.deal import CardDealt, CommunityRevealed, StackDelivered
from domain.facts.decisions import DiscardsCollected, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.wagers import BetsClosed, ProgressiveAccepted, WagerPlaced
from domain.simulation.edits import Edit, said
from domain.simulation.incidents.changes import after, before, gone, later, told
from domain.simulation.incidents.incident import ALL_BOOKS, ULTIMATE, incident
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven, cents_of
from domain.simulation.incidents.stage import by_book, somebody

# Wagers placed before the call; Maryland's progressive chip has its own way into the rack.
FIRST = ("ante", "blind", "trips", "cover_all", "six_card", "bonus5", "bonus3", "original", "bonus")
_LATE = {
    "": "UTH-MD 7.D; PIK 39.3(a)/s3; FAH (f)(3)",
    **dict.fromkeys(("ante", "blind", "trips"), "UTH-MA 6(b) s1"),
    "cover_all": "UTH-MA 13(a)",
    "six_card": "UTH-MD 7.F(4)(b)",
    "COL ante": "COL 6(c)/s1",
    "bonus": "COL 6a(b)",
}
_CHANGED = "UTH-MA 6(b) s2; UTH-MD 7.E; PIK 39.3(a)/s4; FAH (f)(3); COL 6(c)/s2"


@incident("wager-after-close", ALL_BOOKS, "A wager is placed after no more bets was announced.", clauses=_LATE)
def after_the_call(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager placed after the call."""
    placed = scene.any_of(WagerPlaced, wager=lambda held: held in FIRST)
    return _late(scene, placed, scene.first(BetsClosed))


@incident(
    "past-posting",
    ("UTH-MA", "UTH-MD", "PIK", "COL"),
    "A side wager is placed when the cards that win it lie on the table.",
    code="wager-after-close",
    clauses=_LATE,
)
def past_posting(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winning bonus placed after its hand was dealt."""
    held = scene.wagers(wager=lambda wager: wager in ("trips", "six_card", "bonus3", "bonus"))
    won = scene.choose([each for each in held if each.paid])
    dealt = [*scene.all(CardDealt, seat=won.seat), *scene.all(StackDelivered, seat=won.seat)]
    scene.wants(dealt)
    return _late(scene, scene.first(WagerPlaced, seat=won.seat, wager=won.wager), dealt[-1])


def _late(scene: PlayedStretch, placed: WagerPlaced, behind: Fact) -> Woven:
    key = "COL ante" if scene.book == "COL" and placed.wager == "ante" else placed.wager
    return scene.woven(later(placed, behind), seat=placed.seat, wager=placed.wager, keys=(key,))


@incident(
    "wager-after-close/accepted",
    ("UTH-MD",),
    "The progressive system accepts a wager after no more bets was announced.",
    clauses="UTH-MD 7.D; UTH-MD 2.C(2)",
)
def accepted_late(scene: PlayedStretch) -> Woven:
    """Return the stretch with a late wager that the progressive system accepts, banked with the others."""
    placed = scene.any_of(WagerPlaced, wager="progressive")
    accepted = scene.first(ProgressiveAccepted, seat=placed.seat)
    scene.wants(not scene.setup.contribution_percent)
    edits = (later(placed, scene.first(BetsClosed)), later(accepted, placed))
    return scene.woven(*edits, seat=placed.seat, wager="progressive")


@incident(
    "wager-changed-after-close",
    ALL_BOOKS,
    "A wager is made larger after no more bets was announced, and the house takes all of it.",
    clauses=_CHANGED,
    besides=("wager-amount-invalid",),
)
def more_after_the_call(scene: PlayedStretch) -> Woven:
    """Return the stretch with a losing wager increased between the call and the first card."""
    lost = scene.choose([each for each in scene.wagers(wager=lambda wager: wager in FIRST) if not each.back])
    edits = _changed(scene, lost, lost.stake + 500)
    return scene.woven(*edits, seat=lost.seat, wager=lost.wager, expected=lost.stake, observed=lost.stake + 500)


def _changed(scene: PlayedStretch, held: UntouchedWager, to: int) -> tuple[Edit, ...]:
    moved = held.moves[-1]
    return (
        told(moved, cents=cents_of(moved) + to - held.stake),
        after(scene.first(BetsClosed), said("wager-changed", held.seat, held.wager, to)),
    )


@incident(
    "capping",
    ALL_BOOKS,
    "Chips are added to a wager that has won, and it is paid as if they had lain there from the start.",
    code="wager-changed-after-close",
    clauses=_CHANGED,
    besides=("wager-overpaid", "paid-above-floor", "cap-exceeded", "hand-misranked", "wager-amount-invalid"),
)
def capping(scene: PlayedStretch) -> Woven:
    """Return the stretch with chips added to a winning wager between the reveal and the payment."""
    won = scene.choose([each for each in scene.wagers() if _capped(each) and not scene.ruled(each)])
    times = scene.chance.choice((2, 3))
    pay = [told(move, cents=cents_of(move) * times) for move in won.moves]
    edits = (*pay, before(won.moves[0], said("wager-changed", won.seat, won.wager, won.stake * times)))
    return scene.woven(*edits, seat=won.seat, wager=won.wager, expected=won.stake, observed=won.stake * times)


def _capped(held: UntouchedWager) -> bool:
    return bool(held.paid and held.stake and not held.collected and held.wager not in ("progressive", "envy"))


@incident(
    "pinching",
    ALL_BOOKS,
    "Chips are taken back from a wager that has lost, and only what is left is collected.",
    code="wager-changed-after-close",
    clauses=_CHANGED,
    besides=("loser-not-collected", "folded-wager-not-collected", "wager-amount-invalid"),
)
def pinching(scene: PlayedStretch) -> Woven:
    """Return the stretch with chips withdrawn from a losing wager between the reveal and the collection."""
    scene.wants(scene.all(HandRevealed))
    shown = scene.place(scene.all(HandRevealed)[0])
    lost = [each for each in scene.wagers() if _pinched(each) and scene.place(each.moves[0]) > shown]
    held = scene.choose(lost)
    rest = held.stake - scene.chance.choice((500, held.stake - 100))
    scene.wants(0 < rest < held.stake)
    word = said("wager-changed", held.seat, held.wager, rest)
    edits = (told(held.moves[0], cents=rest), before(held.moves[0], word))
    return scene.woven(*edits, seat=held.seat, wager=held.wager, expected=held.stake, observed=rest)


def _pinched(held: UntouchedWager) -> bool:
    return not held.back and held.collected == held.stake and len(held.moves) == 1 and held.wager != "progressive"


@incident(
    "wager-changed-after-close/withdrawn",
    ALL_BOOKS,
    "A side wager, or the only one, is taken back after no more bets was announced, and nothing is collected.",
    clauses=_CHANGED,
    besides=("loser-not-collected", "folded-wager-not-collected", "hand-collected-early"),
)
def taken_back(scene: PlayedStretch) -> Woven:
    """Return the stretch with a losing wager withdrawn after the call."""
    wagers = ("trips", "cover_all", "bonus3", "bonus", "original")
    lost = scene.choose([each for each in scene.wagers(wager=lambda held: held in wagers) if _pinched(each)])
    word = said("wager-withdrawn", lost.seat, lost.wager)
    edits = (before(lost.moves[0], word), gone(*lost.moves))
    return scene.woven(*edits, seat=lost.seat, wager=lost.wager, expected=lost.stake, observed=0)


@incident(
    "wager-outside-window",
    (*ULTIMATE, "FAH", "COL"),
    "A wager that rides on a decision is placed outside its stage of the round.",
    clauses='UTH-MA 1 (Play wager); UTH-MA 6(d); UTH-MD 1.B(5); FAH (h)(3)/s1; COL 1 "Bet wager"',
    besides=("wager-amount-invalid",),
    staging=by_book({"FAH": somebody("split"), "COL": somebody("bet")}),
)
def outside_its_stage(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager placed once the cards it depends on have been seen."""
    ends: Fact
    if scene.book == "FAH":
        wager, ends = "split", scene.first(DiscardsCollected)
    elif scene.book == "COL":
        wager, ends = "bet", scene.first(CommunityRevealed)
    else:
        wager, ends = "play", scene.first(HandRevealed, seat=None)
    placed = scene.any_of(WagerPlaced, wager=wager)
    return scene.woven(later(placed, ends), seat=placed.seat, wager=wager)


@incident(
    "no-more-bets-missing",
    ALL_BOOKS,
    "Cards are dealt and nobody announces no more bets.",
    clauses={
        "manual-shoe": "UTH-MA 7(b); UTH-MD 8.C(1); PIK 39.7(b)/s1; FAH (g)(2)/s1; COL 7(b)",
        "continuous-shoe": "FAH (g)(2)/s1",
        "hand": "UTH-MA 8(b)(3) s1; UTH-MD 9.A(3); PIK 39.8(b)3/s1; COL 8(b)(3)",
        "automated-shoe": "UTH-MA 9(b)(2); UTH-MD 10.A(2)(a); PIK 39.9(b)2; COL 9(b)(2)",
    },
    besides=("wager-after-close", "progressive-lockout-missing"),
)
def no_call(scene: PlayedStretch) -> Woven:
    """Return the stretch without the call of no more bets."""
    return scene.woven(gone(scene.first(BetsClosed)))
