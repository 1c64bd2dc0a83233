"""The findings to review, by every filter of the queue."""

from datetime import date, datetime, timedelta
from typing import Literal

import msgspec

from domain.spoken import rounds_from
from projections.questions.asking import Conditions, Reading, rows, stretch, utc, values_of
from projections.questions.players import streams_of

Order = Literal["time", "money", "severity"]
_ORDERS: dict[Order, str] = {
    "time": "f.at DESC",
    "money": "at_risk_cents DESC NULLS LAST, f.at DESC",
    "severity": "list_position(['money', 'integrity', 'procedure', 'information'], f.severity), f.at DESC",
}


class Worked(msgspec.Struct, frozen=True):
    """The state of reviews: closed findings with the edition that was reviewed, and other findings that were seen.

    The desk keeps this state, so the caller passes it in. A limit then drops only findings that need no review, never
    one that does.
    """

    closed: tuple[str, ...] = ()
    editions: tuple[int, ...] = ()
    seen: tuple[str, ...] = ()

    @property
    def values(self) -> tuple[list[str], list[int], list[str]]:
        """The values bound to `WAITS`."""
        return list(self.closed), list(self.editions), list(self.seen)


class Reviewing(msgspec.Struct, frozen=True):
    """The part of a query that depends on reviews: waiting or done, only these findings, none of those."""

    worked: Worked = Worked()
    done: bool = False
    only: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()


# Findings that still need work: not closed, or revised since they were closed; withdrawn ones only until someone has
# seen them.
WAITS = """
NOT EXISTS (
    SELECT 1 FROM (SELECT unnest(?::VARCHAR[]) AS finding, unnest(?::BIGINT[]) AS edition) c
    WHERE c.finding = f.finding AND c.edition >= f.edition
) AND NOT (f.state = 'withdrawn' AND f.finding IN (SELECT unnest(?::VARCHAR[])))
"""


class FindingFilter(msgspec.Struct, frozen=True, kw_only=True):
    """The filters of a query; an empty one does not filter."""

    table: str = ""
    game: str = ""
    dealer: str = ""
    player: str = ""
    code: str = ""
    severity: str = ""
    state: str = "standing"
    first: date | None = None
    last: date | None = None
    begin: datetime | None = None
    end: datetime | None = None
    at_least_cents: int | None = None
    finding: str = ""


class FindingRow(msgspec.Struct, frozen=True, kw_only=True):
    """One finding."""

    finding: str
    code: str
    severity: str
    state: str
    table: str
    gaming_day: date
    stream: str
    round: int | None
    to_round: int | None  # the last one, if it is about a stretch of rounds
    seat: int | None
    player: str | None = None
    wager: str | None
    dealer: str | None
    game: str | None
    at: datetime | None
    expected_cents: int | None
    observed_cents: int | None
    at_risk_cents: int | None
    clauses: tuple[str, ...] | None
    evidence: tuple[int, ...] | None
    basis: str | None
    edition: int  # grows with every revision
    says: str

    @property
    def place(self) -> str:
        """The table, with the round or the rounds it is about: T7 rounds 3 to 9."""
        return self.table if self.round is None else f"{self.table} {rounds_from(self.round, self.to_round)}"


_SELECT = """
SELECT f.finding, f.edition, f.code, f.severity, f.state, f."table", f.gaming_day, f.stream, f.round, f.to_round,
    f.seat, f.wager, f.dealer, t.book AS game, f.at, f.expected_cents, f.observed_cents,
    abs(f.observed_cents - f.expected_cents) AS at_risk_cents, f.clauses, f.evidence, f.basis, f.says
FROM {findings} f LEFT JOIN {tables} t ON t.stream = f.stream
"""
# The chosen findings in order, without the texts of all others.
_CHOSEN = """
SELECT f.finding, f.stream, abs(f.observed_cents - f.expected_cents) AS at_risk_cents
FROM {findings} f{tables}{where}ORDER BY {order}, f.finding LIMIT ?
"""
# The player at a seat in a finding's first round: a stretch of rounds is about one player. A join is faster than a list
# for hundreds of streams.
_SEATED = """
SELECT [f.stream, f.round::VARCHAR, f.seat::VARCHAR, s.player]
FROM (SELECT unnest(?) AS stream, unnest(?) AS round, unnest(?) AS seat) f
    JOIN {stays} s
    ON s.stream = f.stream AND s.seat = f.seat AND f.round BETWEEN s.first_round AND s.last_round
"""
# A stretch of rounds that began before a time may last until then or longer.
_SINCE = """
f.at >= ? OR EXISTS (
    FROM {rounds} r WHERE r.stream = f.stream AND r.round = f.to_round AND coalesce(r.ended_at, r.began_at) >= ?
)
"""


def findings(
    reading: Reading,
    wanted: FindingFilter,
    *,
    order: Order = "time",
    limit: int = 200,
    reviewing: Reviewing | None = None,
) -> list[FindingRow]:
    """Return the matching findings, in the given order, each with its player."""
    where = _asked(wanted, reviewing)
    where.days(wanted.first, wanted.last, "f.gaming_day")
    if wanted.begin is not None:
        rounds = reading.source("rounds", _since(wanted.first, wanted.begin, wanted.last))
        where.add(_SINCE.format(rounds=rounds), utc(wanted.begin), utc(wanted.begin))
    where.add("f.at <= ?", utc(wanted.end))
    where.add("abs(f.observed_cents - f.expected_cents) >= ?", wanted.at_least_cents)
    days = stretch(wanted.first, wanted.last)
    sources = {name: reading.source(name, days) for name in ("findings", "tables")}
    if wanted.player:
        held = streams_of(reading, wanted.player, wanted.first, wanted.last)
        sources = {name: reading.source_of(name, held) for name in sources}
        hands = Conditions().add("h.player = ?", wanted.player).among("h.stream", held)
        mine = f"SELECT (h.stream, h.round, h.seat) FROM {reading.source_of('player_hands', held)} h{hands}"
        where.among("f.stream", held).add(f"(f.stream, f.round, f.seat) IN ({mine})", *hands.values)
    tables = f" LEFT JOIN {sources['tables']} t ON t.stream = f.stream" if wanted.game else ""
    query = _CHOSEN.format(findings=sources["findings"], tables=tables, where=where, order=_ORDERS[order])
    chosen = reading.connection.execute(query, [*where.values, limit]).fetchall()
    found = _told(reading, chosen, order)
    if wanted.player:
        return [msgspec.structs.replace(each, player=wanted.player) for each in found]
    return _with_players(reading, found)


def _told(reading: Reading, chosen: list[tuple[str, str, int | None]], order: Order) -> list[FindingRow]:
    """Return findings with all of their columns, from the files of their streams only."""
    streams = {stream for _, stream, _ in chosen}
    sources = {name: reading.source_of(name, streams) for name in ("findings", "tables")}
    where = Conditions().among("f.finding", (finding for finding, _, _ in chosen))
    query = f"{_SELECT.format(**sources)}{where}ORDER BY {_ORDERS[order]}, f.finding"
    return rows(reading, FindingRow, query, where.values) if chosen else []


def _with_players(reading: Reading, found: list[FindingRow]) -> list[FindingRow]:
    seated = [finding for finding in found if finding.seat is not None and finding.round is not None]
    if not seated:
        return found
    query = _SEATED.format(stays=reading.source_of("stays", {finding.stream for finding in seated}))
    places = [[getattr(finding, name) for finding in seated] for name in ("stream", "round", "seat")]
    players = {tuple(each[:3]): each[3] for each in values_of(reading, query, places)}
    return [
        msgspec.structs.replace(each, player=players.get((each.stream, str(each.round), str(each.seat))))
        for each in found
    ]


def _since(first: date | None, begin: datetime, last: date | None) -> tuple[date, date] | None:
    """Return the gaming days with rounds at or after a time; a gaming day may begin the evening before."""
    evening = begin.date() - timedelta(days=1)
    return stretch(max(first or evening, evening), last)


def how_many(reading: Reading, wanted: FindingFilter, reviewing: Reviewing | None = None) -> int:
    """Return the number of matching findings."""
    where = _asked(wanted, reviewing)
    games = " LEFT JOIN tables t ON t.stream = f.stream" if wanted.game else ""
    query = f"SELECT count(*) FROM findings f{games}{where}"
    return int(values_of(reading, query, where.values)[0])


def _asked(wanted: FindingFilter, reviewing: Reviewing | None) -> Conditions:
    where = Conditions().add('f."table" = ?', wanted.table).add("t.book = ?", wanted.game)
    where.add("f.dealer = ?", wanted.dealer).add("f.code = ?", wanted.code).add("f.severity = ?", wanted.severity)
    where.add("f.state = ?", "" if wanted.state == "any" else wanted.state).add("f.finding = ?", wanted.finding)
    if reviewing is not None:
        where.add(f"NOT ({WAITS})" if reviewing.done else WAITS, *reviewing.worked.values)
        where.add("f.finding NOT IN (SELECT unnest(?::VARCHAR[]))", list(reviewing.without))
        if reviewing.only is not None:
            where.add("f.finding IN (SELECT unnest(?::VARCHAR[]))", list(reviewing.only))
    return where
