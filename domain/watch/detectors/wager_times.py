"""The time of wagers: before the call, or in the stage that allows them, and unchanged afterwards."""

from collections.abc import Iterator

from domain.facts.deal import CardBurned, CardDealt, CommunityRevealed
from domain.facts.decisions import DecisionAsked, DecisionMade, DiscardsCollected, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.wagers import ProgressiveAccepted, WagerChanged, WagerPlaced, WagerWithdrawn
from domain.money import dollars
from domain.spoken import name_of_wager, the_wager
from domain.table.round import RoundInPlay
from domain.table.spots import Wagered
from domain.watch.dealing import deal
from domain.watch.detecting import Found, judge
from domain.watch.laws import law
from domain.watch.round_order import raised
from domain.watch.wager_order import LATER, NEVER, held_at, placing

AFTER_CLOSE = law(
    "wager-after-close",
    {
        "any": "UTH-MD 7.D; PIK 39.3(a)/s3; FAH (f)(3)",
        "ante": "UTH-MA 6(b) s1; COL 6(c)/s1",
        "blind": "UTH-MA 6(b) s1",
        "trips": "UTH-MA 6(b) s1",
        "cover_all": "UTH-MA 13(a)",
        "six_card": "UTH-MD 7.F(4)(b)",
        "bonus": "COL 6a(b)",
        "ante dealt": 'UTH-MA 1 (Ante); PIK 39.1 "Ante wager"; COL 1 "Ante wager"',
        "blind dealt": "UTH-MA 1 (Blind)",
        "trips dealt": "UTH-MA 1 (Trips wager); UTH-MD 1.B(7)",
        "bonus5 dealt": 'PIK 39.1 "5 card bonus wager"',
        "bonus3 dealt": 'PIK 39.1 "3 card bonus wager"',
        "accepted": "UTH-MD 2.C(2)",
    },
)
ACCEPTED = law("wager-after-close", "UTH-MD 2.C(2)")
CHANGED = law(
    "wager-changed-after-close",
    "UTH-MA 6(b) s2; UTH-MD 7.E; PIK 39.3(a)/s4; FAH (f)(3); COL 6(c)/s2",
)
PLAY = law("wager-outside-window", "UTH-MA 1 (Play wager); UTH-MA 6(d); UTH-MD 1.B(5)")
SPLIT = law("wager-outside-window", "FAH (h)(3)/s1")
BET = law("wager-outside-window", 'COL 1 "Bet wager"')
_ENDS_PLAY = (DecisionAsked, DecisionMade, CardDealt, CardBurned, CommunityRevealed, HandRevealed)


@judge(AFTER_CLOSE, CHANGED)
def before_the_call(told: RoundInPlay) -> Found:
    """Check that wagers made without a decision come before no more bets, and at the latest before the first card."""
    found = placing(told)
    for placed in found.late:
        keys = ["any", placed.wager]
        if placed.sequence > found.dealt:
            keys.append(f"{placed.wager} dealt")
        if placed.wager == "progressive" and any(
            fact.seat == placed.seat and fact.sequence > found.closed for fact in told.of(ProgressiveAccepted)
        ):
            keys.append("accepted")
        law_of = AFTER_CLOSE if any(AFTER_CLOSE.cites(told.book, key) for key in keys) else CHANGED
        says = f"Seat {placed.seat} placed the {the_wager(placed.wager)} after no more bets."
        yield from raised(
            told, law_of, keys if law_of is AFTER_CLOSE else "", placed, says, seat=placed.seat, wager=placed.wager
        )


@judge(ACCEPTED)
def not_accepted_late(told: RoundInPlay) -> Found:
    """Check that the progressive system accepts no wager after no more bets, even if the chip is unseen."""
    closed = placing(told).closed
    for fact in told.of(ProgressiveAccepted):
        held = held_at(told, fact.seat, "progressive")
        if fact.sequence > closed and (held is None or not held.placed):
            says = f"The progressive system accepted a wager at seat {fact.seat} after no more bets."
            yield from raised(told, ACCEPTED, "", fact, says, seat=fact.seat, wager="progressive")


@judge(CHANGED)
def left_alone(told: RoundInPlay) -> Found:
    """Check that a wager is not increased, reduced or taken back after the call."""
    for fact in (*placing(told).changed, *_changed_plays(told)):
        held = held_at(told, fact.seat, fact.wager)
        if held is None:
            continue
        now = 0 if isinstance(fact, WagerWithdrawn) else fact.cents
        was = _before(held, fact)
        if (held.moves and fact.sequence > held.moves[0].sequence) or (now is not None and now == was):
            continue
        says = _says(fact.seat, fact.wager, was, now)
        yield from raised(told, CHANGED, "", fact, says, seat=fact.seat, wager=fact.wager, expected=was, observed=now)


def _before(held: Wagered, fact: Fact) -> int | None:
    """Return the amount of the wager before this fact."""
    lay: int | None = None
    for each in held.placed:
        if each.sequence >= fact.sequence:
            break
        lay = 0 if isinstance(each, WagerWithdrawn) else getattr(each, "cents", None)
    return lay


def _says(seat: int, wager: str, was: int | None, now: int | None) -> str:
    if was is None or now is None:
        return f"Seat {seat}'s {name_of_wager(wager)} was changed after no more bets."
    if not now:
        return f"Seat {seat}'s {name_of_wager(wager)} of {dollars(was)} was withdrawn after no more bets."
    word = "increased" if now > was else "reduced"
    return f"Seat {seat}'s {name_of_wager(wager)} was {word} after no more bets, from {dollars(was)} to {dollars(now)}."


def _changed_plays(told: RoundInPlay) -> Iterator[WagerPlaced | WagerChanged | WagerWithdrawn]:
    """Return the changes of a wager that follows a decision, once the round has continued."""
    later = placing(told).later
    if (
        WagerChanged not in told.told
        and WagerWithdrawn not in told.told
        and len(later) == len({(placed.seat, placed.wager) for placed in later})
    ):
        return
    changes: list[WagerPlaced | WagerChanged | WagerWithdrawn] = [*told.of(WagerChanged), *told.of(WagerWithdrawn)]
    for fact in (*changes, *later):
        held = held_at(told, fact.seat, fact.wager)
        if fact.wager not in LATER or held is None:
            continue
        first = held.placed[0].sequence
        went_on = (each.sequence for kind in _ENDS_PLAY for each in told.of(kind) if each.sequence > first)
        if fact.sequence > min(went_on, default=NEVER):
            yield fact


@judge(PLAY)
def play_in_its_stage(told: RoundInPlay) -> Found:
    """Check that a play wager comes after the hands are dealt and before the dealer's reveal."""
    later = placing(told).later
    shown = next((fact.sequence for fact in told.of(HandRevealed) if fact.seat is None), NEVER)
    served = max((fact.sequence for fact in deal(told).served if fact.to == "seat"), default=0)
    for placed in later:
        if placed.wager == "play" and not served < placed.sequence < shown:
            when = "after the dealer's cards were turned up" if placed.sequence > shown else "before the deal was over"
            says = f"Seat {placed.seat} placed a play wager {when}."
            yield from raised(told, PLAY, "", placed, says, seat=placed.seat, wager="play")


@judge(SPLIT)
def split_in_its_stage(told: RoundInPlay) -> Found:
    """Check that Fast Action's second wager comes before the dealer collects the discards."""
    collected = told.of(DiscardsCollected)
    for placed in placing(told).later if collected else ():
        if placed.wager == "split" and placed.sequence > collected[0].sequence:
            says = f"Seat {placed.seat} placed a split wager after the dealer began to collect the discards."
            yield from raised(told, SPLIT, "", placed, says, seat=placed.seat, wager="split", basis="reading")


@judge(BET)
def bet_in_its_stage(told: RoundInPlay) -> Found:
    """Check that Colorado's bet comes before the community cards are turned up."""
    shown = told.of(CommunityRevealed)
    for placed in placing(told).later if shown else ():
        if placed.wager == "bet" and placed.sequence > shown[0].sequence:
            says = f"Seat {placed.seat} placed a bet after the community cards were turned up."
            yield from raised(told, BET, "", placed, says, seat=placed.seat, wager="bet")
