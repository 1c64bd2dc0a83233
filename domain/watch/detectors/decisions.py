"""Decisions: asked in order, made once by every player, and allowed by the game."""

from collections.abc import Sequence

from domain.cards import UNKNOWN
from domain.facts.decisions import DecisionAsked, DecisionMade, HandAnnounced, HandRevealed, NaturalConfirmed
from domain.facts.envelope import Fact
from domain.facts.wagers import WagerPlaced
from domain.settlement.colorado import instant_winner
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found, judge, name_of
from domain.watch.laws import law
from domain.watch.round_order import PLAYS, STREETS, Course, before, course, raised, street_of

ORDER = law(
    "decision-out-of-order",
    {
        "preflop": "UTH-MA 10(a) s2; UTH-MD 11.B",
        "flop": "UTH-MA 10(c) s1; UTH-MD 11.D",
        "river": "UTH-MA 10(e); UTH-MD 11.F",
        "required": "COL 10(b)",
        "permissible": "COL 11(b)",
    },
)
CHECK_IS_NO_FOLD = law(
    "check-treated-as-fold",
    {
        "": "UTH-MA 1 (Check); UTH-MD 1.B(1)",
        "preflop": "UTH-MA 10(a)(2); UTH-MD 11.B(2)(b)",
        "flop": "UTH-MA 10(c)(2); UTH-MD 11.D(2)(b)",
    },
)
MISSING = law(
    "decision-missing",
    {
        "": "UTH-MA 10(e); UTH-MD 11.F; PIK 39.3(b)/s1; PIK 39.10(c)3",
        "withdrawn": 'PIK 39.1 "Fold"',
    },
)
NO_CHECK_LEFT = law("river-check-accepted", "UTH-MA 10(e); UTH-MD 11.F")
CONFLICT = law(
    "decision-conflicting",
    {
        "fold and play": "UTH-MA 1 (Fold); UTH-MD 1.B(4); PIK 39.3(b)/s1",
        "two plays": "PIK 39.3(b)/s1-exclusive",
        "required": "COL 10(b)(3)(i)/s2",
        "permissible": "COL 11(b)(2)(i)/s2",
    },
)
NO_FOLD = law("fold-not-allowed", "COL 11(b)")

_SAID = {"preflop": "before the flop", "flop": "after the flop", "river": "after the last two community cards"}


def _turn(told: RoundInPlay, fact: DecisionAsked | DecisionMade) -> str | None:
    return str(told.house["version"]) if told.game.colorado else street_of(told, fact)


@judge(ORDER)
def asked_from_the_left(told: RoundInPlay) -> Found:
    """Check that players are asked clockwise from the dealer's left; if questions are unrecorded, use the answers."""
    asked: Sequence[DecisionAsked | DecisionMade] = told.of(DecisionAsked)
    if not asked:
        asked = told.of(DecisionMade)
    previous: dict[str, DecisionAsked | DecisionMade] = {}
    for fact in asked:
        turn = _turn(told, fact)
        if turn is None:
            continue
        last = previous.get(turn)
        if last is not None and fact.seat < last.seat:
            when = f" {_SAID[turn]}" if turn in _SAID else ""
            says = (
                f"Seat {fact.seat} was asked later than seat {last.seat}{when}, but the order is "
                "clockwise from the far left."
            )
            yield from raised(told, ORDER, turn, fact, says, seat=fact.seat, evidence=[last])
        previous[turn] = fact


@judge(ORDER, needs=(DecisionMade,), games=("ultimate",))
def asked_on_every_street(told: RoundInPlay) -> Found:
    """Check that a player without a play wager is asked on each street, from the first one on."""
    if told.voided:
        return
    turns: dict[int, dict[str, Fact]] = {}
    said: list[Sequence[DecisionAsked | DecisionMade]] = [told.of(DecisionMade), told.of(DecisionAsked)]
    for facts in said:
        for fact in facts:
            held = turns.get(fact.seat)
            if held is None:
                held = turns[fact.seat] = {}
            street = fact.street or street_of(told, fact)
            if street is None:
                return
            held[street] = fact
    for seat, streets in turns.items():
        if len(streets) == len(STREETS) or list(streets) == ["preflop"]:
            continue
        latest = max(map(STREETS.index, streets))
        for missed in STREETS[:latest]:
            if missed not in streets:
                later = streets[STREETS[latest]]
                says = f"Seat {seat} was not asked {_SAID[missed]}, although it had no play wager yet."
                yield from raised(told, ORDER, missed, later, says, seat=seat)


@judge(NO_CHECK_LEFT)
def no_check_on_the_river(told: RoundInPlay) -> Found:
    """Check that a player does not check after the last two community cards, but folds or plays."""
    for made in told.of(DecisionMade):
        if made.decision == "check" and street_of(told, made) == "river":
            says = f"Seat {made.seat} checked after the last two community cards instead of folding or playing."
            yield from raised(told, NO_CHECK_LEFT, "", made, says, seat=made.seat)


@judge(CHECK_IS_NO_FOLD, MISSING, needs=(DecisionMade,))
def everyone_decides(told: RoundInPlay) -> Found:
    """Check that every player dealt in folds or plays in the end; a check keeps the player in."""
    if told.voided:
        return
    went = course(told)
    opened = _dealer_opens(told, went)
    if opened is None and name_of(HandRevealed) in told.unrecorded:
        return  # nobody can tell whether a hand was collected before the showdown or at it
    for spot in went.wagering:
        if spot.choice or spot.seat in went.apart or not spot.dealt or _has_play_wager(told, spot):
            continue
        last = went.decided.get(spot.seat)
        street = street_of(told, last) if last is not None else ""
        if street is None or street == "river":
            continue
        out = _taken_out(spot, went, opened)
        if last is not None and out is not None:
            says = f"Seat {spot.seat} checked {_SAID[street]} and was treated as out of the round without being asked."
            yield from raised(told, CHECK_IS_NO_FOLD, street, out, says, seat=spot.seat, evidence=[last])
        else:
            yield from _undecided(told, spot, out, went)


def _has_play_wager(told: RoundInPlay, spot: Spot) -> bool:
    return any(lay(told, spot.wagers[name]) for name in PLAYS & spot.wagers.keys())


def _undecided(told: RoundInPlay, spot: Spot, out: Fact | None, went: Course) -> Found:
    shows = out or went.shown.get(0) or went.ends
    if shows is None:
        return
    what = "was collected" if out is not None else "continued"
    says = f"Seat {spot.seat}'s hand {what} without a decision to fold or to play."
    key = "withdrawn" if out is not None else ""
    yield from raised(told, MISSING, key, shows, says, seat=spot.seat)


def _dealer_opens(told: RoundInPlay, went: Course) -> Fact | None:
    """Return the turning up of the dealer's cards, or their announcement if turning up is unrecorded."""
    announced = (fact for fact in told.of(HandAnnounced) if fact.seat is None)
    return went.shown.get(0) or next(announced, None)


def _taken_out(spot: Spot, went: Course, opened: Fact | None) -> Fact | None:
    """Return the fact that shows the hand treated as out before the dealer's reveal."""
    signs: list[Fact] = list(went.collected.get(spot.seat, ())[:1])
    ante = went.first.get((spot.seat, "ante"))
    if ante is not None and spot.wagers["ante"].collected_cents:
        signs.append(ante)
    early = [fact for fact in signs if opened is None or fact.sequence < opened.sequence]
    return min(early, key=lambda fact: fact.sequence, default=None)


@judge(CONFLICT, games=("ultimate", "pik-it"))
def one_decision_a_hand(told: RoundInPlay) -> Found:
    """Check that a hand is either folded or played, and at Pik-it with only one of the two play wagers."""
    folded = {made.seat for made in told.of(DecisionMade) if made.decision == "fold"}
    for spot in course(told).wagering:
        if spot.seat not in folded and not ("play3" in spot.wagers and "play5" in spot.wagers):
            continue
        facts = _first_of_each(told, spot)
        plays = [fact for name, fact in facts.items() if name != "fold"]
        if len(plays) > 1:
            later = max(plays, key=lambda fact: fact.sequence)
            says = f"Seat {spot.seat} placed both a play 3 and a play 5 wager on one hand."
            yield from raised(told, CONFLICT, "two plays", later, says, seat=spot.seat, evidence=plays)
        if plays and "fold" in facts:
            both = [facts["fold"], min(plays, key=lambda fact: fact.sequence)]
            later = max(both, key=lambda fact: fact.sequence)
            says = f"Seat {spot.seat} both folded and played one hand."
            yield from raised(told, CONFLICT, "fold and play", later, says, seat=spot.seat, evidence=both)


def _first_of_each(told: RoundInPlay, spot: Spot) -> dict[str, Fact]:
    """Return the first fact that says each of: fold, play, play 3, play 5."""
    found: dict[str, Fact] = {}
    for name in PLAYS & spot.wagers.keys():
        placed = spot.wagers[name].placed
        if placed:
            found[name] = placed[0]
    for made in told.of(DecisionMade):
        if made.seat == spot.seat and made.decision in _FINAL:
            held = found.get(made.decision)
            if held is None or before(made, held):
                found[made.decision] = made
    return found


_FINAL = PLAYS | {"fold"}


@judge(CONFLICT, games=("colorado",))
def no_bet_on_an_instant_winner(told: RoundInPlay) -> Found:
    """Check that a player with a declared instant winner makes no further wager in that round."""
    for spot in course(told).wagering:
        bet = spot.wagers.get("bet")
        if spot.choice != "declare" or bet is None or not bet.placed or not _holds_winner(told, spot):
            continue
        placed = next((fact for fact in bet.placed if isinstance(fact, WagerPlaced)), bet.placed[0])
        declared = course(told).decided.get(spot.seat, placed)
        later = max(placed, declared, key=lambda fact: fact.sequence)
        says = f"Seat {spot.seat} declared an instant winner and made a bet wager in the same round."
        yield from raised(
            told, CONFLICT, told.house["version"], later, says, seat=spot.seat, wager="bet", evidence=[placed, declared]
        )


def _holds_winner(told: RoundInPlay, spot: Spot) -> bool:
    if len(set(spot.cards)) == len(spot.cards) == 3 and UNKNOWN not in spot.cards:
        return bool(instant_winner(tuple(spot.cards), ace_low=told.house["instant_winner_ace_low"]))
    return any(fact.seat == spot.seat and fact.confirmed for fact in told.of(NaturalConfirmed))


@judge(NO_FOLD)
def no_fold_where_the_bet_is_free(told: RoundInPlay) -> Found:
    """Check that nobody folds in the version with a permissible bet wager."""
    if told.house["version"] != "permissible":
        return
    for made in told.of(DecisionMade):
        if made.decision == "fold":
            says = f"Seat {made.seat} folded, but with a permissible bet wager a player may only play on or declare."
            yield from raised(told, NO_FOLD, "", made, says, seat=made.seat)
