"""Standing findings as incidents need them, and what players won in the rounds that an incident touches."""

from collections.abc import Iterable, Sequence

from domain.incidents import Item, Span
from projections.questions.asking import Conditions, Reading, rows
from projections.questions.findings import WAITS, Worked
from projections.rollups import round_wagers

_STANDING = """
SELECT f.finding, f.code, f.severity, f.stream, epoch_us(f.at) AS at, f.stream || ':' || f.trigger AS trigger, f.says,
    f.clauses, f.round, f.to_round, f.seat, coalesce(f.wager, '') AS wager, coalesce(f.dealer, '') AS dealer,
    coalesce(f.deck, '') AS deck, f.short_cards, f.expected_cents, f.observed_cents,
    [f.stream || ':' || each FOR each IN f.evidence] AS evidence, f.basis
FROM {findings} f{where}
"""
# What the house was expected to win on the wagers of these rounds, less what it won; only wagers seen whole.
_WON = """
SELECT s.number, round(sum(h.edge * e.unit_cents + h.fixed_cents * e.units - e.result_cents))::BIGINT
FROM (SELECT unnest(?) AS number, unnest(?) AS stream, unnest(?) AS first, unnest(?) AS last) s
    JOIN ({wagers}) e ON e.stream = s.stream AND e.round BETWEEN s.first AND s.last
    JOIN houses h ON h.house = e.house AND h.wager = e.entry
WHERE e.known GROUP BY s.number
"""


def standing(reading: Reading, streams: Iterable[str] | None = None) -> list[Item]:
    """Return the standing findings of these streams, or of all."""
    held = None if streams is None else list(streams)
    where = Conditions().add("f.state = ?", "standing").among("f.stream", held)
    source = "findings" if held is None else reading.source_of("findings", held)
    return rows(reading, Item, _STANDING.format(findings=source, where=where), where.values)


def won_against_expectation(reading: Reading, spans: Sequence[Span]) -> list[int | None]:
    """Return what players won in each span of rounds beyond their expectation, or None if unknown."""
    streams = {stream for stream, _, _ in spans}
    bases = {name: reading.source_of(name, streams) for name in ("rounds", "wagers")}
    query = _WON.format(wagers=round_wagers(bases))
    values = [list(range(len(spans))), *(list(each) for each in zip(*spans, strict=True))]
    found = dict(reading.connection.execute(query, values).fetchall()) if spans else {}
    return [found.get(number) for number in range(len(spans))]


def waiting(reading: Reading, worked: Worked) -> dict[str, str]:
    """Return the findings that are still to be reviewed, each with its stream."""
    query = f"SELECT f.finding, f.stream FROM findings f WHERE f.state = 'standing' AND {WAITS}"
    return dict(reading.connection.execute(query, worked.values).fetchall())
