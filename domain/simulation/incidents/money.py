"""Wagers settled wrongly: overpaid, underpaid, paid twice, not paid at all, or paid although they lost."""

from collections.abc import Callable

from domain.facts.decisions import DecisionMade
from domain.facts.payments import WagerPaid
from domain.simulation.edits import Edit, PlannedFact, said
from domain.simulation.incidents.changes import after, before, gone, told
from domain.simulation.incidents.incident import ALL_BOOKS, incident
from domain.simulation.incidents.owed import losing, of_table, paying, pushing, raising
from domain.simulation.incidents.scene import PlayedStretch, UntouchedWager, Woven, cents_of
from domain.simulation.incidents.showing import PLAYS
from domain.simulation.incidents.stage import somebody

# Wagers whose amount moves in one or two facts, with nothing else depending on it.
_PLAIN = (
    *("ante", "blind", "play", "trips", "bonus5", "bonus3", "play3", "play5", "original", "split", "bonus", "bet"),
    *("six_card", "ultimate_pairs", "bad_beat", "play_the_board"),
)
# Findings that a wrong amount may look like: the odds of another hand, or another wager's result.
_LOOKS_LIKE = (
    "hand-misranked",
    "winner-misjudged",
    "settlement-basis-wrong",
    "settlement-procedure-wrong",
    "dealer-qualification-misjudged",
)


_GIFT = 2_500
LAST = ("cover_all", "envy")  # settled when every player's other wagers are


def settled(scene: PlayedStretch, fits: Callable[[UntouchedWager], bool]) -> UntouchedWager:
    """Return a matching wager of a played hand, settled without a coupon."""
    playing = {fact.seat for fact in scene.all(DecisionMade, decision=lambda held: held in (*PLAYS, "split"))}
    if scene.book == "FAH":
        playing = set(scene.seats())
    found = [
        held
        for held in scene.wagers()
        if held.wager in _PLAIN
        and held.seat in playing
        and held.moves
        and not held.coupon
        and fits(held)
        and not scene.ruled(held)
    ]
    return scene.choose(found)


def otherwise(scene: PlayedStretch, held: UntouchedWager, *words: PlannedFact, **parts: object) -> tuple[Edit, ...]:
    """Return the edits that replace a wager's settlement with these facts."""
    edits: list[Edit] = [before(held.moves[0], *words)] if words else []
    return (*edits, gone(*held.moves))


def _paid_more(scene: PlayedStretch, held: UntouchedWager, cents: int) -> Edit:
    paid = next(move for move in held.moves if isinstance(move, WagerPaid))
    return told(paid, cents=cents_of(paid) + cents)


@incident(
    "wager-overpaid",
    ("UTH-MA", "UTH-MD", "PIK", "FAH"),
    "More is paid on a wager than it is owed.",
    besides=("hand-misranked",),
)
def overpaid(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winning wager overpaid."""
    won = settled(scene, lambda held: bool(held.paid) and of_table(scene, held))
    more = scene.chance.choice((500, 1_000, won.stake))
    return _amount_wrong(scene, won, more)


@incident(
    "paid-above-floor",
    ("UTH-MA", "PIK", "COL"),
    "A wager is paid above the posted odds, where the text prints only the least.",
    besides=("hand-misranked",),
)
def above_the_floor(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager paid above the posted odds but within the text."""
    won = settled(scene, lambda held: bool(held.paid) and not of_table(scene, held))
    return _amount_wrong(scene, won, scene.chance.choice((500, 1_000)))


@incident(
    "wager-underpaid",
    ALL_BOOKS,
    "Less is paid on a winning wager than it is owed.",
    besides=("hand-misranked",),
)
def underpaid(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winning wager paid a chip too little."""
    won = settled(scene, lambda held: held.paid > 500)
    return _amount_wrong(scene, won, -scene.chance.choice((100, 500)))


def _amount_wrong(scene: PlayedStretch, held: UntouchedWager, by: int) -> Woven:
    code = scene.incident.code
    clauses = raising(code, paying(scene, held.wager)) if not _natural(scene, held) else ()
    return scene.woven(
        _paid_more(scene, held, by),
        seat=held.seat,
        wager=held.wager,
        expected=held.back,
        observed=held.back + by,
        clauses=clauses,
    )


def _natural(scene: PlayedStretch, held: UntouchedWager) -> bool:
    return scene.has(DecisionMade, seat=held.seat, decision="natural") or scene.has(
        DecisionMade, seat=held.seat, decision="declare"
    )


@incident(
    "winner-unpaid",
    ALL_BOOKS,
    "A winning wager is handed back without its winnings.",
    besides=_LOOKS_LIKE,
)
def unpaid(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winner returned without its winnings."""
    won = settled(scene, lambda held: bool(held.paid))
    paid = [move for move in won.moves if isinstance(move, WagerPaid)]
    return scene.woven(
        gone(*paid),
        seat=won.seat,
        wager=won.wager,
        expected=won.back,
        observed=won.stake,
        clauses=() if _natural(scene, won) else raising("winner-unpaid", paying(scene, won.wager)),
    )


@incident(
    "winner-collected",
    ALL_BOOKS,
    "A winning wager is collected.",
    besides=_LOOKS_LIKE,
)
def collected(scene: PlayedStretch) -> Woven:
    """Return the stretch with a winner collected."""
    won = settled(scene, lambda held: bool(held.paid))
    word = said("wager-collected", won.seat, won.wager, won.stake)
    return scene.woven(
        *otherwise(scene, won, word),
        seat=won.seat,
        wager=won.wager,
        expected=won.back,
        observed=0,
        clauses=() if _natural(scene, won) else raising("winner-collected", paying(scene, won.wager)),
    )


@incident(
    "loser-paid",
    ALL_BOOKS,
    "A losing wager is paid.",
    besides=_LOOKS_LIKE,
)
def loser_paid(scene: PlayedStretch) -> Woven:
    """Return the stretch with a loser paid even money."""
    lost = settled(scene, lambda held: held.collected == held.stake and not held.back)
    words = (
        said("wager-paid", lost.seat, lost.wager, lost.stake),
        said("wager-returned", lost.seat, lost.wager, lost.stake),
    )
    return scene.woven(
        *otherwise(scene, lost, *words),
        seat=lost.seat,
        wager=lost.wager,
        expected=0,
        observed=2 * lost.stake,
        clauses=raising("loser-paid", losing(scene, lost)),
    )


@incident(
    "loser-not-collected",
    ALL_BOOKS,
    "A losing wager goes back to its player.",
    besides=_LOOKS_LIKE,
)
def loser_left(scene: PlayedStretch) -> Woven:
    """Return the stretch with a loser returned."""
    lost = settled(scene, lambda held: held.collected == held.stake and not held.back)
    word = said("wager-returned", lost.seat, lost.wager, lost.stake)
    return scene.woven(
        *otherwise(scene, lost, word),
        seat=lost.seat,
        wager=lost.wager,
        expected=0,
        observed=lost.stake,
        clauses=raising("loser-not-collected", losing(scene, lost)),
    )


@incident(
    "push-mishandled",
    ALL_BOOKS,
    "A wager that neither wins nor loses is collected.",
    besides=_LOOKS_LIKE,
)
def push_taken(scene: PlayedStretch) -> Woven:
    """Return the stretch with a push collected."""
    push = settled(scene, lambda held: held.returned == held.stake and not held.paid and not held.collected)
    word = said("wager-collected", push.seat, push.wager, push.stake)
    return scene.woven(
        *otherwise(scene, push, word),
        seat=push.seat,
        wager=push.wager,
        expected=push.stake,
        observed=0,
        clauses=pushing(scene, push),
    )


@incident(
    "wager-unsettled",
    ("UTH-MA", "PIK", "FAH", "COL"),
    "The round ends with a wager neither paid, returned nor collected.",
    clauses='UTH-MA 1 (Round of play); PIK 39.1 "Round of play"; FAH (a)(1)(vii); COL 1 "Round of play"',
)
def forgotten(scene: PlayedStretch) -> Woven:
    """Return the stretch with a wager left unsettled at the end of the round."""
    held = settled(scene, lambda held: held.collected == held.stake and held.wager != "ante")
    return scene.woven(gone(*held.moves), seat=held.seat, wager=held.wager, expected=0, observed=0)


@incident(
    "folded-wager-not-collected",
    ("UTH-MA", "UTH-MD", "PIK", "COL"),
    "The ante of a folded hand goes back to its player.",
    clauses="UTH-MA 10(e)(2); UTH-MD 11.F(2); PIK 39.10(c)4; COL 10(b)(2)/s2",
)
def fold_forgiven(scene: PlayedStretch) -> Woven:
    """Return the stretch with a folded ante returned."""
    folded = scene.any_of(DecisionMade, decision="fold")
    held = scene.wagers(seat=folded.seat, wager="ante")[0]
    scene.wants(not held.coupon and held.moves)
    word = said("wager-returned", held.seat, "ante", held.stake)
    return scene.woven(*otherwise(scene, held, word), seat=held.seat, wager="ante", expected=0, observed=held.stake)


@incident(
    "surrender-amount-wrong",
    ("FAH",),
    "All of the wager is taken from a player who discontinues.",
    clauses="FAH (h)(6)/s2",
    staging=somebody("surrender"),
)
def all_of_it(scene: PlayedStretch) -> Woven:
    """Return the stretch with all of a surrendered wager taken, instead of half."""
    made = scene.first(DecisionMade, decision="surrender")
    held = scene.wagers(seat=made.seat, wager="original")[0]
    word = said("wager-collected", held.seat, "original", held.stake, "surrender")
    return scene.woven(*otherwise(scene, held, word), seat=held.seat, wager="original", expected=held.back, observed=0)


@incident(
    "paid-without-wager",
    ALL_BOOKS,
    "A side bet, or any wager, is paid at a position where none lies.",
    clauses={
        "": "UTH-MA 11(d); UTH-MD 11.I(2); PIK 39.11(c)/s1; FAH (h)(12)/s1",
        "required": "COL 12(d)",
        "permissible": "COL 13(d)",
    },
    besides=("settlement-out-of-order", "settlement-mistimed"),
)
def paid_for_nothing(scene: PlayedStretch) -> Woven:
    """Return the stretch with a payment on a wager that was not placed."""
    wager = {"UTH-MA": "trips", "UTH-MD": "trips", "PIK": "bonus3", "FAH": "split", "COL": "bonus"}[scene.book]
    seat = scene.choose([seat for seat in scene.seats() if not scene.wagers(seat=seat, wager=wager)])
    moves = [move for held in scene.wagers(seat=seat) for move in held.moves if held.wager not in LAST]
    scene.wants(moves)
    last = max(moves, key=scene.place)
    return scene.woven(
        after(last, said("wager-paid", seat, wager, _GIFT)),
        seat=seat,
        wager=wager,
        expected=0,
        observed=_GIFT,
        keys=(str(scene.house["version"]),) if scene.book == "COL" else (),
    )
