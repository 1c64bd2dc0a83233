"""A finished round as rows of the read models."""

from functools import lru_cache

import msgspec

from domain.cards import show
from domain.facts.deal import RoundOpened
from domain.facts.payments import HandVoided, RoundCompleted, StubCounted
from domain.facts.watching import VideoMarked
from domain.odds.expectation import house_digest
from domain.settlement import announce
from domain.settlement.outcome import Outcome
from domain.table.played import lay
from domain.table.round import RoundInPlay
from domain.table.spots import Spot
from domain.table.stubs import stub
from domain.watch.owed import worked_out
from domain.watch.owed_vs_paid import DECIDED, coverage
from projections.changes import Row
from projections.folding.cards import cards_of, seen_of, too_often
from projections.folding.wagers import NOTHING, WagerSums, Whole, unread, wagers_of

DEALER = 0
_MOST_CENTS = 9_000_000_000_000  # in one round: sums over a million rounds fit in any database

digest_of = lru_cache(maxsize=4096)(house_digest)  # equal configurations share one House
_named = lru_cache(maxsize=65_536)(announce)


class TooLargeError(ValueError):
    """A round with amounts too large for any real table, and too large to add up."""


class DeckCount(msgspec.Struct, frozen=True, gc=False):
    """A count of a deck: of its stub, or of the whole deck by a shuffler."""

    sequence: int
    at: int
    cards: int
    wrong: bool


class Summary(msgspec.Struct, frozen=True, gc=False):
    """The part of a finished round that its day keeps."""

    number: int
    deck: str
    hands: int
    coverage: dict[str, int]
    won: int | None  # by the house; None if a movement was not seen
    seen: int  # a bit for each card seen
    too_often: tuple[str, ...]  # cards seen more often than the deck holds them
    counts: tuple[DeckCount, ...]


class RoundRows(msgspec.Struct, frozen=True, gc=False):
    """A round's rows, table by table."""

    summary: Summary
    edition: int
    round: Row
    hands: list[Row]
    wagers: list[Row]
    cards: list[Row]


class RoundSetting(msgspec.Struct, frozen=True, gc=False):
    """The values that a day's rounds share."""

    start: Row  # stream, table, gaming day
    pit: str = ""
    unjudged: str = ""  # the reason why the day cannot be settled


def rows_of(told: RoundInPlay, place: RoundSetting, edition: int, decks: int) -> RoundRows:
    """Return the rows of a round; `decks` is the number of decks it was dealt from."""
    start = (*place.start, told.number, edition)
    settled = None if place.unjudged else worked_out(told)
    outcomes: Whole = settled.settlement.seats if settled is not None else {}
    values = settled.settlement.hands if settled is not None else {}
    left_out = settled.left_out if settled is not None else frozenset()
    void = {fact.seat for fact in told.of(HandVoided)}
    blind = unread(told)
    hands: list[Row] = []
    wagers: list[Row] = []
    sums, players = NOTHING, 0
    for number in sorted(told.seats):
        spot = told.seats[number]
        own = outcomes.get(number, {})
        if not (spot.cards or spot.wagers or own):
            continue
        mine, of_seat = _seat(told, spot, own, (*start, number, spot.player), blind=blind, out=number in left_out)
        wagers += mine
        sums = of_seat if sums is NOTHING else sums.plus(of_seat)
        players += _takes_part(told, spot)
        held = _holds(told, values.get(number), spot.choice)
        amounts = (of_seat.staked, of_seat.back, of_seat.owed, of_seat.difference)
        hands.append((*start, number, spot.player, show(spot.cards), held, spot.choice, number in void, *amounts))
    if any(abs(cents or 0) > _MOST_CENTS for cents in sums):
        raise TooLargeError(f"round {told.number} has amounts beyond {_MOST_CENTS} cents")
    if told.dealer.cards:
        held = _holds(told, values.get(DEALER), "")
        hands.append((*start, DEALER, "", show(told.dealer.cards), held, "", False, None, None, None, None))
    covered = {place.unjudged: len(wagers)} if place.unjudged else coverage(told)
    clause = settled.settlement.void_clause if settled is not None else ""
    return RoundRows(
        _summary(told, players, covered, sums, decks),
        edition,
        (*start, *_round(told, place, clause, sums, (players, covered))),
        hands,
        wagers,
        cards_of(told, start),
    )


def _seat(
    told: RoundInPlay, spot: Spot, outcomes: dict[str, Outcome], start: Row, *, blind: bool, out: bool
) -> tuple[list[Row], WagerSums]:
    if not spot.wagers and not outcomes:
        return [], NOTHING
    return wagers_of(told, spot, outcomes, blind=blind, left_out=out, start=start)


def _takes_part(told: RoundInPlay, spot: Spot) -> bool:
    """Return whether a hand was dealt there, or wagered on."""
    return bool(spot.cards) or any(wagered.placed or lay(told, wagered) for wagered in spot.wagers.values())


def _holds(told: RoundInPlay, value: int | None, choice: str) -> str:
    return "" if value is None else _named(told.house, value, three_cards=choice == "play3")


def _round(
    told: RoundInPlay, place: RoundSetting, clause: str, sums: WagerSums, counts: tuple[int, dict[str, int]]
) -> Row:
    hands, covered = counts
    completed = told.of(RoundCompleted)
    decided = covered.get(DECIDED, 0)
    return (
        told.first,
        told.last,
        told.at,
        completed[0].at if completed else None,
        place.pit,
        told.book,
        "" if place.unjudged else digest_of(told.house),
        told.method,
        told.deck,
        told.dealer_person,
        hands,
        show(told.community.cards),
        show(told.dealer.cards),
        told.voided,
        clause,
        sums.staked,
        sums.back,
        sums.owed,
        decided,
        sum(covered.values()) - decided,
        _video(told),
    )


def _video(told: RoundInPlay) -> str:
    """Return the marked video of a round, or else the camera named in its opening."""
    marks = [
        " ".join(filter(None, (mark.recorder, mark.channel, "-".join(filter(None, (mark.from_code, mark.to_code))))))
        for mark in told.of(VideoMarked)
    ]
    return "; ".join(marks) or next((fact.camera for fact in told.of(RoundOpened) if fact.camera), "")


def _summary(told: RoundInPlay, hands: int, covered: dict[str, int], sums: WagerSums, decks: int) -> Summary:
    cards = seen_of(told)
    mask = 0
    for card in cards:
        mask |= 1 << card
    return Summary(
        told.number, told.deck, hands, covered, sums.won, mask, too_often(cards, decks), tuple(_counts(told))
    )


def _counts(told: RoundInPlay) -> list[DeckCount]:
    """Return every count of the stub; a fault of the deck shows in the last one."""
    counts = told.of(StubCounted)
    if not counts:
        return []
    found = stub(told)
    wrong = found is not None and found.deck_wrong
    last = counts[-1]
    return [DeckCount(fact.sequence, fact.at, fact.cards, wrong and fact is last) for fact in counts]
