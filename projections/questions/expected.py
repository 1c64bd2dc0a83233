"""The house's result on wagers, compared with the average by exact odds on the same wagers.

Only wagers whose amounts were all seen count on both sides. The hands of one round share the dealer's hand and the
board, so their results are not independent. With enough rounds, the spread is therefore measured from the rounds'
results, if it is larger than the odds of single hands give.
"""

from math import sqrt

import msgspec

from projections.questions.asking import Conditions, Reading, rows

LIKELY = 1.96  # standard deviations on either side: 95 %
ENOUGH = 30  # rounds needed to measure their spread


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """Result and expectation of some wagers."""

    result_cents: int = 0
    expected_cents: float | None = None
    variance: float | None = None  # by the odds, for independent hands
    left_out: int = 0  # wagers without odds, or with an unseen amount

    def interval(self, measured: float = 0.0) -> tuple[float | None, float | None]:
        """Return the 95 % interval of the result; `measured` is the variance measured over rounds."""
        if self.expected_cents is None or self.variance is None:
            return None, None
        half = LIKELY * sqrt(max(self.variance, measured, 0.0))
        return self.expected_cents - half, self.expected_cents + half

    def deviations(self, measured: float = 0.0) -> float | None:
        """Return the number of standard deviations between the result and the expectation."""
        spread = sqrt(max(self.variance or 0.0, measured, 0.0))
        return None if self.expected_cents is None or not spread else (self.result_cents - self.expected_cents) / spread


# An envy bonus is booked where it was won. Its average cost is booked with the progressive wager it was staked with.
SUMS = """coalesce(sum(s.result_cents) FILTER (h.edge IS NOT NULL OR s.entry = 'envy'), 0)::BIGINT AS result_cents,
    sum(h.edge * s.unit_cents + h.fixed_cents * s.units) AS expected_cents,
    sum(coalesce(h.deviation, 0) ** 2 * s.squares + h.crossed * s.unit_cents + h.fixed_variance * s.units) AS variance,
    (coalesce(sum(s.open), 0) + coalesce(sum(s.units) FILTER (h.edge IS NULL AND s.entry <> 'envy'), 0))::BIGINT
        AS left_out"""
JOINED = "LEFT JOIN houses h ON h.house = s.house AND h.wager = s.entry"


def against(reading: Reading, source: str, where: Conditions) -> Against:
    """Return the result and expectation of all matching wagers of a rollup."""
    return rows(reading, Against, f"SELECT {SUMS} FROM {source} s {JOINED}{where}", where.values)[0]
