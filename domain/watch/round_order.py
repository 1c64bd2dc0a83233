"""The order of events in a round, computed once for all judges, seat by seat.

A round keeps its facts by type, but a judge of order needs to know which came first. This module gives the place in the
stream of everything such judges check.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

import msgspec

from domain.facts.deal import CardDealt, CommunityRevealed, StackDelivered
from domain.facts.decisions import DecisionAsked, DecisionMade, HandAnnounced, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import (
    HandsCollected,
    HandVoided,
    RoundCompleted,
    RulingGiven,
    WagerCollected,
    WagerPaid,
    WagerReturned,
)
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.watch.detecting import Found
from domain.watch.finding import found
from domain.watch.laws import Law

Move = WagerPaid | WagerCollected | WagerReturned
PLAYS = frozenset({"play", "play3", "play5"})  # decisions, and the wagers that follow them
MAIN = ("ante", "blind", "play", "play3", "play5")  # wagers decided by comparing hands
_PLACE = attrgetter("sequence")


class Course(msgspec.Struct, gc=False):
    """The order of events. A seat with a void hand or an absent player is `apart` and is not judged like others."""

    moves: list[Move]  # every movement of a wager, in order
    wagering: list[Spot] = []  # the seats with a wager, from the dealer's left
    first: dict[tuple[int, str], Move] = {}  # the first movement of a seat's wager
    last: dict[tuple[int, str], Move] = {}
    compared: dict[int, Move] = {}  # the first movement of a wager decided by comparing hands, in order
    comparing: Fact | None = None  # the first of those, or the end of the round if no hands are compared
    playing: tuple[int, ...] = ()  # seats whose hands are compared, from the dealer's right
    decided: dict[int, DecisionMade] = {}  # a seat's last decision
    shown: dict[int, Fact] = {}  # the first time a hand is turned up; 0 is the dealer
    announced: dict[int, list[HandAnnounced]] = {}
    collected: dict[int, list[HandsCollected]] = {}  # 0 is the dealer
    community_collected: HandsCollected | None = None
    apart: frozenset[int] = frozenset()
    ends: Fact | None = None  # the fact that completed the round

    def first_of(self, seat: int, wagers: Iterable[str]) -> Move | None:
        """Return the first movement of any of these wagers of a seat."""
        found: Move | None = None
        for wager in wagers:
            move = self.first.get((seat, wager))
            if move is not None and (found is None or move.sequence < found.sequence):
                found = move
        return found

    def last_of(self, seat: int, wagers: Iterable[str]) -> Move | None:
        """Return the last movement of any of these wagers of a seat."""
        found: Move | None = None
        for wager in wagers:
            move = self.last.get((seat, wager))
            if move is not None and (found is None or move.sequence > found.sequence):
                found = move
        return found


def course(told: RoundInPlay) -> Course:
    """Return the order of events of a round, cached until another fact arrives."""
    held: Course | None = told.worked_out.get("course")
    if held is None:
        held = told.worked_out["course"] = _course(told)
    return held


def _course(told: RoundInPlay) -> Course:
    moves: list[Move] = told.moves
    undone = [ruling.sequence for ruling in told.of(RulingGiven) if "revers" in ruling.ruling.lower()]
    if undone:  # a return ordered by a ruling is not a settlement
        moves = [move for move in moves if move.sequence < undone[0]]
    made = Course(moves, told.wagering)
    first, last, compared = made.first, made.last, made.compared
    for move in moves:
        seat, wager = move.seat, move.wager
        if (seat, wager) not in first:
            first[seat, wager] = move
            if wager in MAIN and seat not in compared:
                compared[seat] = move
        last[seat, wager] = move
    for decision in told.of(DecisionMade):
        made.decided[decision.seat] = decision
    for shown in told.of(HandRevealed):
        made.shown.setdefault(shown.seat or 0, shown)
    if 0 not in made.shown and told.dealer.dealt and (face_up := _dealt_open(told)) is not None:
        made.shown[0] = face_up
    for announced in told.of(HandAnnounced):
        made.announced.setdefault(announced.seat or 0, []).append(announced)
    for collected in told.of(HandsCollected):
        if collected.seat is not None or collected.of == "dealer":
            made.collected.setdefault(collected.seat or 0, []).append(collected)
        elif collected.of == "community":
            made.community_collected = made.community_collected or collected
    left = [spot.seat for spot in told.seats.values() if spot.left]
    made.apart = frozenset((*left, *(fact.seat for fact in told.of(HandVoided))))
    made.ends = next(iter(told.of(RoundCompleted)), None)
    made.playing = tuple(
        spot.seat for spot in reversed(made.wagering) if spot.seat not in made.apart and stays_in(spot)
    )
    settled = [compared[seat] for seat in made.playing if seat in compared]
    made.comparing = min(settled, key=_PLACE) if settled else made.ends
    return made


def _dealt_open(told: RoundInPlay) -> Fact | None:
    """Return the fact that delivered the dealer's own cards face up, if they were."""
    return next((fact for fact in told.dealer.dealt if isinstance(fact, StackDelivered) and fact.face_up), None)


def before(one: Fact | None, other: Fact | None) -> bool:
    """Whether both happened, and the first one earlier."""
    return one is not None and other is not None and one.sequence < other.sequence


def next_of(facts: Sequence[Fact], after: Fact) -> Fact | None:
    """Return the first of these ordered facts after another fact."""
    place = bisect_right(facts, after.sequence, key=_PLACE)
    return facts[place] if place < len(facts) else None


def community_at(told: RoundInPlay, fact: Fact) -> int:
    """Return the number of open community cards at this fact."""
    dealt = sum(
        each.sequence < fact.sequence for each in told.community.dealt if isinstance(each, CardDealt) and each.face_up
    )
    return dealt + sum(len(each.cards) or 1 for each in told.of(CommunityRevealed) if each.sequence < fact.sequence)


STREETS = ("preflop", "flop", "river")
_OPENS_CARDS = frozenset({"card-dealt", "community-revealed"})


def street_of(told: RoundInPlay, fact: DecisionAsked | DecisionMade) -> str | None:
    """Return the street of a question or decision, as recorded or by the open community cards; None if unrecorded."""
    if fact.street is not None:
        return fact.street
    seen = community_at(told, fact)
    if seen:
        return "flop" if seen < 5 else "river"
    return "preflop" if told.unrecorded.isdisjoint(_OPENS_CARDS) else None


def stays_in(spot: Spot) -> bool:
    """Whether this seat decided to play; a play wager also shows it."""
    if spot.choice:
        return spot.choice in PLAYS
    return not PLAYS.isdisjoint(spot.wagers)


def raised(told: RoundInPlay, law: Law, key: str | Iterable[str], trigger: Fact, says: str, **parts: Any) -> Found:
    """Raise a finding on this round by its book's clauses for these keys, or none if the book has none."""
    keys = (key,) if isinstance(key, str) else key
    cited = tuple(dict.fromkeys(clause for each in keys for clause in law.cites(told.book, each)))
    if cited:
        parts.setdefault("round", told.number)
        parts.setdefault("deck", told.deck)
        yield found(law, cited, trigger, says, dealer=told.dealer_person, **parts)
