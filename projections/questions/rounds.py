"""Find a round by its number, a time, a player, a card, or a finding."""

import re
from collections.abc import Iterable
from datetime import date, datetime, timedelta

import msgspec

from domain.cards import cards
from projections.questions.asking import (
    AskedWronglyError,
    Conditions,
    NothingFitsError,
    Reading,
    day_of,
    rows,
    stretch,
    values_of,
)
from projections.questions.clock import moments
from projections.questions.players import streams_of

NEAR = timedelta(minutes=10)  # the largest distance between a typed time and its round
_NAMED = re.compile(r"(?P<table>[A-Za-z0-9][A-Za-z0-9_.-]*)/(?P<day>\d{4}-\d{2}-\d{2}):(?P<round>\d+)")
_TABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,39}")
FINDING_NAME = re.compile(r"[0-9a-f]{20}")


class Handle(msgspec.Struct, frozen=True, kw_only=True):
    """The known details of a round."""

    named: str = ""  # T7/2026-11-18:212, a finding's name, or a table
    table: str = ""
    round: int | None = None
    to_round: int | None = None  # the last one, if a finding is about a stretch of rounds
    day: date | None = None
    about: str = ""  # about ten past nine
    player: str = ""
    card: str = ""  # held at a seat, or by that player
    seat: int | None = None
    finding: str = ""


class RoundRow(msgspec.Struct, frozen=True, kw_only=True):
    """A matching round."""

    stream: str
    table: str
    gaming_day: date
    round: int
    began_at: datetime | None
    ended_at: datetime | None
    game: str | None
    dealer: str | None
    deck: str | None
    hands: int | None
    community: str | None
    dealer_hand: str | None
    voided: bool | None
    void_clause: str | None
    staked_cents: int | None
    back_cents: int | None
    owed_cents: int | None
    decided: int | None
    undecided: int | None
    video: str | None
    zone: str | None
    seconds_away: int | None = None


_COLUMNS = """r.stream, r."table", r.gaming_day, r.round, r.began_at, r.ended_at, r.book AS game, r.dealer, r.deck,
    r.hands, r.community, r.dealer_hand, r.voided, r.void_clause, r.staked_cents, r.back_cents, r.owed_cents,
    r.decided, r.undecided, r.video, t.zone"""
# A list of places is joined, not compared row by row: that halves the work over files of a million rounds.
_THESE = """(r.stream, r.gaming_day, r.round) IN
    (SELECT unnest(?::VARCHAR[]), unnest(?::DATE[]), unnest(?::INTEGER[]))"""
_ENDED = "coalesce(r.ended_at, r.began_at)"  # the best known end of a round that was left open


def find_rounds(reading: Reading, handle: Handle, *, limit: int = 20) -> list[RoundRow]:
    """Return the matching rounds: nearest first if a time is given, a finding's in their order, else newest first."""
    handle = _taken_apart(reading, handle)
    if not (handle.table or handle.player):
        raise AskedWronglyError("name a table, a player, a finding, or a round like T7/2026-11-18:212")
    streams = [] if handle.player else _streams(reading, handle)
    where = Conditions()
    if handle.player or handle.card or (handle.seat is not None):
        held = _holding(reading, streams, handle, None if handle.about else limit)
        if not held:
            raise NothingFitsError(_nothing(reading, handle, streams or _streams(reading, handle)))
        streams = sorted({stream for stream, _, _ in held})
        where.add(_THESE, *map(list, zip(*held, strict=True)))
    else:
        where.among("r.stream", streams).among("r.gaming_day", {_day(each) for each in streams})
        where.add("r.round BETWEEN ? AND ?", handle.round, handle.to_round or handle.round)
    if handle.about:
        found = _nearest(reading, handle.about, streams, where)
    else:
        order = "r.round" if handle.to_round else "r.gaming_day DESC, r.round DESC, r.stream"
        query = f"SELECT {_COLUMNS} {_from(reading, streams)}{where}ORDER BY {order}"
        found = rows(reading, RoundRow, query, where.values)
    if not found:
        raise NothingFitsError(_nothing(reading, handle, streams))
    return found[:limit]


def _from(reading: Reading, streams: Iterable[str]) -> str:
    rounds, tables = reading.source_of("rounds", streams), reading.source_of("tables", streams)
    return f"FROM {rounds} r LEFT JOIN {tables} t ON t.stream = r.stream"


def _taken_apart(reading: Reading, handle: Handle) -> Handle:
    """Return the handle with the parts of a round's or finding's name filled in."""
    if handle.named and FINDING_NAME.fullmatch(handle.named):
        handle = msgspec.structs.replace(handle, named="", finding=handle.named)
    if handle.finding:
        query = "SELECT [stream, round::VARCHAR, to_round::VARCHAR] FROM findings WHERE finding = ?"
        found = values_of(reading, query, [handle.finding])
        if not found:
            raise NothingFitsError(f"there is no finding {handle.finding}")
        stream, number, last = found[0]
        if number is None:
            raise NothingFitsError(f"finding {handle.finding} is about {stream}, not about a round")
        to_round = int(last) if last is not None else None
        return Handle(table=stream.partition("/")[0], day=_day(stream), round=int(number), to_round=to_round)
    if not handle.named:
        return handle
    if _TABLE.fullmatch(handle.named):
        return msgspec.structs.replace(handle, named="", table=handle.named)
    named = _NAMED.fullmatch(handle.named)
    if named is None:
        raise AskedWronglyError(
            f"{handle.named!r} is not a round: write a round like T7/2026-11-18:212, a finding's name, or a table"
        )
    parts = {"table": named["table"], "day": _day(named["table"] + "/" + named["day"]), "round": int(named["round"])}
    return msgspec.structs.replace(handle, named="", **parts)


def _day(stream: str) -> date:
    try:
        return date.fromisoformat(stream.rpartition("/")[2])
    except ValueError as error:
        raise AskedWronglyError(f"{stream!r} names no gaming day: write it like 2026-11-18") from error


def _streams(reading: Reading, handle: Handle) -> list[str]:
    """Return the streams that may hold the round."""
    if handle.player:
        held = streams_of(reading, handle.player, handle.day, handle.day)
        if handle.table:
            held = [stream for stream in held if stream.partition("/")[0] == handle.table]
        if not held:
            on = f" on {handle.day}" if handle.day else ""
            raise NothingFitsError(f"the record has no hand of player {handle.player}{on}")
        return held
    return [f"{handle.table}/{day_of(reading, handle.table, handle.day)}"]


def _holding(reading: Reading, streams: list[str], handle: Handle, limit: int | None) -> list[tuple[str, date, int]]:
    """Return the newest rounds with a hand of this player, at this seat, or with this card."""
    if handle.player:
        where = Conditions().days(handle.day, handle.day).add('"table" = ?', handle.table)
        tables = [handle.table] if handle.table else None
        source = reading.source("player_hands", stretch(handle.day, handle.day), tables)
    else:
        where = Conditions().among("stream", streams).among("gaming_day", {_day(each) for each in streams})
        source = reading.source_of("hands", streams)
    where.add("seat > 0").add("player = ?", handle.player).add("seat = ?", handle.seat).add("round = ?", handle.round)
    if handle.card:
        where.add("list_contains(string_split(cards, ' '), ?)", _card(handle.card))
    query = f"""SELECT DISTINCT stream, gaming_day, round FROM {source}{where}
        ORDER BY gaming_day DESC, round DESC, stream LIMIT ?"""
    return reading.connection.execute(query, [*where.values, limit]).fetchall()


def _card(said: str) -> str:
    """Return a card as the tables write it."""
    text = said.strip()
    try:
        cards(text[:-1].upper() + text[-1:].lower())
    except (ValueError, KeyError, IndexError) as error:
        raise AskedWronglyError(f"{said!r} is not a card: write it like As, Td or 2c") from error
    return text[:-1].upper() + text[-1:].lower()


def _nearest(reading: Reading, about: str, streams: list[str], where: Conditions) -> list[RoundRow]:
    """Return the rounds near one of the possible moments, in each stream's own zone."""
    tables = reading.source_of("tables", streams)
    where_tables = Conditions().among("stream", streams)
    zones = dict(values_of(reading, f"SELECT [stream, zone] FROM {tables}{where_tables}", streams))
    found: list[RoundRow] = []
    for stream in streams:
        for meant in moments(about, _day(stream), zones.get(stream, "UTC")):
            moment = meant.replace(tzinfo=None)
            away = f"""greatest(epoch_us(r.began_at) - epoch_us(TIMESTAMP '{moment}'),
                epoch_us(TIMESTAMP '{moment}') - epoch_us({_ENDED}), 0) // 1000000"""
            near = Conditions().times(moment - NEAR, moment + NEAR, "r.began_at", _ENDED).add("r.stream = ?", stream)
            rounds = f"{_from(reading, [stream])}{where} AND {str(near).replace('WHERE', '')}"
            query = f"SELECT {_COLUMNS}, {away} AS seconds_away {rounds}"
            found += rows(reading, RoundRow, query, [*where.values, *near.values])
    return sorted(found, key=lambda each: (each.seconds_away or 0, each.stream, each.round))


def _nothing(reading: Reading, handle: Handle, streams: list[str]) -> str:
    """Return what exists instead."""
    where = Conditions().among("stream", streams)
    query = f"SELECT [min(round), max(round), count(*)] FROM {reading.source_of('rounds', streams)}{where}"
    first, last, count = values_of(reading, query, where.values)[0]
    if not count:
        return f"{', '.join(streams)} has no finished round yet"
    there = f"{', '.join(streams)} has rounds {first} to {last}"
    if handle.about:
        return f"no round within ten minutes of {handle.about!r}; {there}"
    return f"no round there matches; {there}"
