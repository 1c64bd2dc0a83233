"""What wagers left to the house, beside what its exact odds say they leave on average, on the same wagers.

Only wagers whose amounts were all seen are on either side. The hands of one round share dealer and board, and so do not
win and lose apart from each other: where there are rounds enough, the spread is taken from how much their results
differ, if that is more than the odds of single hands give.
"""

from math import sqrt

import msgspec

from projections.questions.asking import Reading, Where, rows

LIKELY = 1.96  # standard deviations on either side: 95 of 100
ENOUGH = 30  # rounds, for their own spread to say something


class Against(msgspec.Struct, frozen=True, kw_only=True):
    """Result and expectation of some wagers."""

    result_cents: int = 0
    expected_cents: float | None = None
    variance: float | None = None  # by the odds, hands apart
    left_out: int = 0  # wagers without odds, or with an amount nobody saw

    def interval(self, measured: float = 0.0) -> tuple[float | None, float | None]:
        """Between which two amounts the result lies 95 times of 100; `measured` is the rounds' own variance."""
        if self.expected_cents is None or self.variance is None:
            return None, None
        half = LIKELY * sqrt(max(self.variance, measured, 0.0))
        return self.expected_cents - half, self.expected_cents + half

    def deviations(self, measured: float = 0.0) -> float | None:
        """By how many standard deviations the result lies above the expectation."""
        spread = sqrt(max(self.variance or 0.0, measured, 0.0))
        return None if self.expected_cents is None or not spread else (self.result_cents - self.expected_cents) / spread


# An envy bonus stands where it was won; what it costs on average, with the progressive wager it was staked with.
SUMS = """coalesce(sum(s.result_cents) FILTER (h.edge IS NOT NULL OR s.entry = 'envy'), 0)::BIGINT AS result_cents,
    sum(h.edge * s.unit_cents + h.fixed_cents * s.units) AS expected_cents,
    sum(coalesce(h.deviation, 0) ** 2 * s.squares + h.crossed * s.unit_cents + h.fixed_variance * s.units) AS variance,
    (coalesce(sum(s.open), 0) + coalesce(sum(s.units) FILTER (h.edge IS NULL AND s.entry <> 'envy'), 0))::BIGINT
        AS left_out"""
JOINED = "LEFT JOIN houses h ON h.house = s.house AND h.wager = s.entry"


def against(reading: Reading, source: str, where: Where) -> Against:
    """All wagers of a rollup that fit."""
    return rows(reading, Against, f"SELECT {SUMS} FROM {source} s {JOINED}{where}", where.values)[0]
