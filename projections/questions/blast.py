"""The blast radius of a bad deck, a device, a dealer or a period: every round, hand and player it touched.

Each hand has two sums. *By the rule book*: the difference between amounts handed back and owed. *If void*: the
amount needed to return every stake, as when cards were missing from the deck all along.
"""

from datetime import date, datetime, timedelta
from typing import Literal

import msgspec

from projections.questions.asking import (
    AskedWronglyError,
    Conditions,
    NothingFitsError,
    Reading,
    rows,
    stretch,
    utc,
    values_of,
)

Basis = Literal["void", "rules"]


class Affected(msgspec.Struct, frozen=True, kw_only=True):
    """The bad deck, device, dealer or period; all given fields must match."""

    deck: str = ""
    device: str = ""
    dealer: str = ""
    table: str = ""
    first: date | None = None
    last: date | None = None
    begin: datetime | None = None
    end: datetime | None = None
    first_round: int | None = None
    last_round: int | None = None


class AffectedRound(msgspec.Struct, frozen=True, kw_only=True):
    """One affected round."""

    stream: str
    round: int
    began_at: datetime | None
    dealer: str | None
    deck: str | None
    hands: int
    voided: bool | None
    to_players_cents: int
    by_players_cents: int


class AffectedHand(msgspec.Struct, frozen=True, kw_only=True):
    """One affected hand, and the amount that corrects it."""

    stream: str
    round: int
    seat: int
    player: str | None
    cards: str | None
    staked_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    should_cents: int | None  # the correct amount back, by the chosen basis
    to_player_cents: int | None
    by_player_cents: int | None


class Repayment(msgspec.Struct, frozen=True, kw_only=True):
    """The amount one player should receive or return."""

    player: str
    rounds: int
    hands: int
    staked_cents: int
    back_cents: int
    to_player_cents: int
    by_player_cents: int
    net_cents: int  # to the player, less by the player
    undecided: int  # hands without a known amount


class BlastRadius(msgspec.Struct, frozen=True, kw_only=True):
    """Everything it touched."""

    basis: str
    streams: int
    rounds: int
    hands: int
    players: int
    to_players_cents: int
    by_players_cents: int
    undecided: int
    repayments: tuple[Repayment, ...]
    affected_rounds: tuple[AffectedRound, ...]
    affected_hands: tuple[AffectedHand, ...]


class _Round(msgspec.Struct, frozen=True):
    stream: str
    round: int
    began_at: datetime | None
    dealer: str | None
    deck: str | None
    voided: bool | None


# A device that handled a deck has touched every round from then until another device, or a hand, did the same to the
# deck.
_TOUCHED = """
ASOF JOIN (
    SELECT stream, deck, sequence, device FROM {handling}
    WHERE stream IN ({streams}) AND what IN (SELECT DISTINCT what FROM device_days WHERE device = ?)
) h ON h.stream = r.stream AND h.deck = r.deck AND r.last >= h.sequence
"""
# A round that was left open lasts until the next one of its table begins.
_NOT_OVER = """
r.ended_at >= ? OR (r.ended_at IS NULL AND NOT EXISTS (
    FROM {rounds} n
    WHERE n.stream = r.stream AND n.gaming_day = r.gaming_day AND n.round = r.round + 1 AND n.began_at < ?
))
"""
_HANDS = """
SELECT stream, round, seat, player, cards, staked_cents, back_cents, owed_cents, should_cents,
    CASE WHEN short IS NOT NULL THEN greatest(short, 0) END AS to_player_cents,
    CASE WHEN short IS NOT NULL THEN greatest(-short, 0) END AS by_player_cents
FROM (SELECT *, {should} AS should_cents, {should} - back_cents AS short FROM {hands} h{where})
ORDER BY gaming_day, stream, round, seat
"""
_SHOULD: dict[Basis, str] = {"void": "h.staked_cents", "rules": "h.owed_cents"}


def blast_radius(reading: Reading, affected: Affected, *, basis: Basis | None = None) -> BlastRadius:
    """Return every affected round, hand and player, and the sums owed in each direction.

    The default basis is void for a bad deck or device, and the rules for the errors of a dealer or a period.
    """
    basis = basis or ("void" if affected.deck or affected.device else "rules")
    if basis not in _SHOULD:
        raise AskedWronglyError(f"the basis must be void or rules, not {basis!r}")
    rounds = _rounds(reading, affected)
    if not rounds:
        raise NothingFitsError(_nothing(reading, affected))
    keys = {(each.stream, each.round) for each in rounds}
    streams = {each.stream for each in rounds}
    where = Conditions().among("h.stream", streams).among("h.gaming_day", {_day(stream) for stream in streams})
    where.add("h.seat > 0").add("h.round BETWEEN ? AND ?", min(k[1] for k in keys), max(k[1] for k in keys))
    query = _HANDS.format(should=_SHOULD[basis], hands=reading.source_of("hands", streams), where=where)
    hands = [each for each in rows(reading, AffectedHand, query, where.values) if (each.stream, each.round) in keys]
    repayments = _repayments(hands)
    return BlastRadius(
        basis=basis,
        streams=len(streams),
        rounds=len(rounds),
        hands=len(hands),
        players=len(repayments),
        to_players_cents=sum(each.to_player_cents for each in repayments),
        by_players_cents=sum(each.by_player_cents for each in repayments),
        undecided=sum(each.undecided for each in repayments),
        repayments=repayments,
        affected_rounds=_with_sums(rounds, hands),
        affected_hands=tuple(hands),
    )


def _rounds(reading: Reading, affected: Affected) -> list[_Round]:
    if not (affected.deck or affected.device or affected.dealer or affected.begin or affected.end):
        raise AskedWronglyError("name a deck, a device, a dealer, or a begin and an end")
    days = _days(affected)
    streams = _streams(reading, affected, days)
    where = Conditions().add('r."table" = ?', affected.table).days(*days, "r.gaming_day")
    where.add("r.dealer = ?", affected.dealer).add("r.deck = ?", affected.deck)
    tables = [affected.table] if affected.table else None
    rounds = reading.source("rounds", stretch(*days), tables)
    if streams is not None:
        rounds = reading.source_of("rounds", streams)
        where.among("r.stream", streams).among("r.gaming_day", {_day(stream) for stream in streams})
    where.add(_NOT_OVER.format(rounds=rounds), utc(affected.begin), utc(affected.begin))
    where.add("r.began_at <= ?", utc(affected.end))
    where.add("r.round >= ?", affected.first_round).add("r.round <= ?", affected.last_round)
    touched, of_touched = "", []
    if affected.device:
        held = streams or ()
        places = ", ".join("?" * len(held)) or "NULL"
        touched = _TOUCHED.format(handling=reading.source_of("handling", held), streams=places)
        of_touched = [*held, affected.device]
        where.add("h.device = ?", affected.device)
    query = f"SELECT r.stream, r.round, r.began_at, r.dealer, r.deck, r.voided FROM {rounds} r {touched}{where}"
    return rows(reading, _Round, query + "ORDER BY r.gaming_day, r.stream, r.round", [*of_touched, *where.values])


def _days(affected: Affected) -> tuple[date | None, date | None]:
    """Return the first and last gaming day to search; a gaming day may begin the evening before."""
    first = affected.begin and affected.begin.date() - timedelta(days=1)
    last = affected.end and affected.end.date() + timedelta(days=1)
    return max(filter(None, (affected.first, first)), default=None), min(
        filter(None, (affected.last, last)), default=None
    )


def _streams(reading: Reading, affected: Affected, days: tuple[date | None, date | None]) -> set[str] | None:
    """Return the streams with a round that matches every field; None if only a time is given."""
    named = (
        ("decks", "deck", affected.deck),
        ("device_days", "device", affected.device),
        ("dealer_days", "dealer", affected.dealer),
    )
    found: set[str] | None = None
    for table, column, value in named:
        if value:
            held = Conditions().add(f"{column} = ?", value).add('"table" = ?', affected.table).days(*days)
            query = f"SELECT DISTINCT stream FROM {reading.source(table, stretch(*days))}{held}"
            streams = set(values_of(reading, query, held.values))
            found = streams if found is None else found & streams
    return found


def _day(stream: str) -> date:
    return date.fromisoformat(stream.rpartition("/")[2])


def _repayments(hands: list[AffectedHand]) -> tuple[Repayment, ...]:
    by_player: dict[str, list[AffectedHand]] = {}
    for hand in hands:
        by_player.setdefault(hand.player or f"unknown at {hand.stream} seat {hand.seat}", []).append(hand)
    return tuple(_repayment(player, by_player[player]) for player in sorted(by_player))


def _repayment(player: str, hands: list[AffectedHand]) -> Repayment:
    to_player = sum(hand.to_player_cents or 0 for hand in hands)
    by_player = sum(hand.by_player_cents or 0 for hand in hands)
    return Repayment(
        player=player,
        rounds=len({(hand.stream, hand.round) for hand in hands}),
        hands=len(hands),
        staked_cents=sum(hand.staked_cents or 0 for hand in hands),
        back_cents=sum(hand.back_cents or 0 for hand in hands),
        to_player_cents=to_player,
        by_player_cents=by_player,
        net_cents=to_player - by_player,
        undecided=sum(hand.to_player_cents is None for hand in hands),
    )


def _with_sums(rounds: list[_Round], hands: list[AffectedHand]) -> tuple[AffectedRound, ...]:
    held: dict[tuple[str, int], list[AffectedHand]] = {}
    for hand in hands:
        held.setdefault((hand.stream, hand.round), []).append(hand)
    return tuple(
        AffectedRound(
            stream=each.stream,
            round=each.round,
            began_at=each.began_at,
            dealer=each.dealer,
            deck=each.deck,
            hands=len(dealt := held.get((each.stream, each.round), [])),
            voided=each.voided,
            to_players_cents=sum(hand.to_player_cents or 0 for hand in dealt),
            by_players_cents=sum(hand.by_player_cents or 0 for hand in dealt),
        )
        for each in rounds
    )


def _nothing(reading: Reading, affected: Affected) -> str:
    """Return what exists instead."""
    if affected.deck:
        names = values_of(
            reading,
            "SELECT DISTINCT deck FROM decks WHERE deck ILIKE '%' || ? || '%' OR \"table\" = ? ORDER BY deck LIMIT 8",
            [affected.deck, affected.table],
        )
        there = f"; there are {', '.join(names)}" if names else ""
        return f"no round was dealt from deck {affected.deck!r} in that period{there}"
    if affected.device:
        names = values_of(reading, "SELECT DISTINCT device FROM device_days ORDER BY device LIMIT 20")
        return f"no round was dealt with device {affected.device!r} in that period; there are {', '.join(names)}"
    who = f"dealt by {affected.dealer!r} " if affected.dealer else ""
    return f"no round {who}is in that period"
