"""A player's evening: tables, hands, results of wagers, and the average result of the game."""

from datetime import date, datetime

import msgspec

from projections.questions.asking import Conditions, NothingFitsError, Reading, rows, stretch, values_of
from projections.questions.expected import Against, against


class PlayerTableDay(msgspec.Struct, frozen=True, kw_only=True):
    """A player's day at one table."""

    stream: str
    table: str
    gaming_day: date
    game: str | None
    rounds: int
    hands: int
    first_at: datetime | None
    last_at: datetime | None
    bought_in_cents: int | None
    staked_cents: int
    back_cents: int
    won_cents: int  # on hands whose amounts were all seen; negative for a loss
    over_cents: int
    under_cents: int
    open: int  # hands with an unknown amount owed


class HandRow(msgspec.Struct, frozen=True, kw_only=True):
    """One hand."""

    stream: str
    round: int
    seat: int
    began_at: datetime | None
    dealer: str | None
    cards: str | None
    holds: str | None
    choice: str | None
    dealer_hand: str | None
    void: bool | None
    staked_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    difference_cents: int | None


class SeatTaken(msgspec.Struct, frozen=True, kw_only=True):
    """A stay at a seat."""

    stream: str
    seat: int
    seated_at: datetime | None
    left_at: datetime | None
    bought_in_cents: int | None


class PlayerFinding(msgspec.Struct, frozen=True, kw_only=True):
    """A finding about one of their hands."""

    finding: str
    code: str
    severity: str
    state: str
    stream: str
    round: int | None
    to_round: int | None  # the last one, if it is about a stretch of rounds
    seat: int | None
    expected_cents: int | None
    observed_cents: int | None
    says: str


class Evening(msgspec.Struct, frozen=True, kw_only=True):
    """One or more evenings of a player."""

    player: str
    first: date
    last: date
    rounds: int
    hands: int
    staked_cents: int
    back_cents: int
    won_cents: int
    expected_cents: float | None  # their average result on the wagers whose amounts were all seen
    low_cents: float | None  # ... and its 95 % interval
    high_cents: float | None
    against_cents: int  # their actual result on those wagers
    over_cents: int
    under_cents: int
    open: int
    sittings: tuple[PlayerTableDay, ...]
    seatings: tuple[SeatTaken, ...]
    hands_played: tuple[HandRow, ...]
    findings: tuple[PlayerFinding, ...]


def streams_of(reading: Reading, player: str, first: date | None = None, last: date | None = None) -> list[str]:
    """Return the streams with a hand of this player, newest first."""
    where = Conditions().add("player = ?", player).days(first, last)
    source = reading.source("player_days", stretch(first, last))
    query = f"SELECT DISTINCT stream FROM {source}{where}ORDER BY split_part(stream, '/', 2) DESC, stream"
    return values_of(reading, query, where.values)


_SITTINGS = """
SELECT stream, "table", gaming_day, book AS game, rounds, hands, first_at, last_at, NULL AS bought_in_cents,
    staked_cents, back_cents, result_cents AS won_cents, over_cents, under_cents, open
FROM {days}{where}ORDER BY first_at, stream
"""
_HANDS = """
SELECT stream, round, seat, began_at, dealer, cards, holds, choice, dealer_hand, void, staked_cents, back_cents,
    owed_cents, difference_cents
FROM {hands}{where}ORDER BY began_at, stream, round, seat
"""
_SEATINGS = """
SELECT stream, seat, seated_at, left_at, bought_in_cents FROM {seatings}{where}ORDER BY seated_at, stream, number
"""
# A stretch of rounds is about one player, who has the hand in its first round.
_FINDINGS = """
SELECT finding, code, severity, state, stream, round, to_round, seat, expected_cents, observed_cents, says
FROM {findings}
WHERE (stream, round, seat) IN (SELECT unnest(?::VARCHAR[]), unnest(?::INTEGER[]), unnest(?::INTEGER[]))
ORDER BY "at", finding
"""


def evening(reading: Reading, player: str, first: date | None = None, last: date | None = None) -> Evening:
    """Return a player's evenings on these days, or on their last day if none is named."""
    if first is None and last is None:
        newest = values_of(reading, "SELECT max(gaming_day) FROM player_days WHERE player = ?", [player])[0]
        first = last = newest
    sittings = _sittings(reading, player, first, last)
    if not sittings:
        when = f" between {first or 'the beginning'} and {last or 'now'}" if first or last else ""
        raise NothingFitsError(f"the record has no hand of player {player}{when}")
    streams = {sitting.stream for sitting in sittings}
    theirs = Conditions().add("player = ?", player).among("stream", streams)
    of_hands = _HANDS.format(hands=reading.source_of("player_hands", streams), where=theirs)
    hands = rows(reading, HandRow, of_hands, theirs.values)
    of_seatings = _SEATINGS.format(seatings=reading.source_of("seatings", streams), where=theirs)
    seatings = rows(reading, SeatTaken, of_seatings, theirs.values)
    wagers = Conditions().add("s.player = ?", player).among("s.stream", streams)
    return _evening(
        player,
        sittings=_with_what_was_bought(sittings, seatings),
        seatings=tuple(seatings),
        hands=hands,
        findings=_findings(reading, streams, hands),
        compared=against(reading, reading.source_of("player_wagers", streams), wagers),
    )


def _sittings(reading: Reading, player: str, first: date | None, last: date | None) -> list[PlayerTableDay]:
    where = Conditions().add("player = ?", player).days(first, last)
    days = reading.source("player_days", stretch(first, last))
    return rows(reading, PlayerTableDay, _SITTINGS.format(days=days, where=where), where.values)


def _with_what_was_bought(sittings: list[PlayerTableDay], seatings: list[SeatTaken]) -> list[PlayerTableDay]:
    bought: dict[str, int] = {}
    for each in seatings:
        if each.bought_in_cents is not None:
            bought[each.stream] = bought.get(each.stream, 0) + each.bought_in_cents
    return [msgspec.structs.replace(each, bought_in_cents=bought.get(each.stream)) for each in sittings]


def _findings(reading: Reading, streams: set[str], hands: list[HandRow]) -> tuple[PlayerFinding, ...]:
    source = reading.source_of("findings", streams)
    mine = [[getattr(hand, name) for hand in hands] for name in ("stream", "round", "seat")]
    return tuple(rows(reading, PlayerFinding, _FINDINGS.format(findings=source), mine))


def _evening(
    player: str,
    *,
    sittings: list[PlayerTableDay],
    seatings: tuple[SeatTaken, ...],
    hands: list[HandRow],
    findings: tuple[PlayerFinding, ...],
    compared: Against,
) -> Evening:
    expected = None if compared.expected_cents is None else -compared.expected_cents
    low, high = compared.interval()
    return Evening(
        player=player,
        first=min(sitting.gaming_day for sitting in sittings),
        last=max(sitting.gaming_day for sitting in sittings),
        rounds=sum(sitting.rounds for sitting in sittings),
        hands=sum(sitting.hands for sitting in sittings),
        staked_cents=sum(sitting.staked_cents for sitting in sittings),
        back_cents=sum(sitting.back_cents for sitting in sittings),
        won_cents=sum(sitting.won_cents for sitting in sittings),
        expected_cents=expected,
        low_cents=None if high is None else -high,
        high_cents=None if low is None else -low,
        against_cents=-compared.result_cents,
        over_cents=sum(sitting.over_cents for sitting in sittings),
        under_cents=sum(sitting.under_cents for sitting in sittings),
        open=sum(sitting.open for sitting in sittings),
        sittings=tuple(sittings),
        seatings=seatings,
        hands_played=tuple(hands),
        findings=findings,
    )
