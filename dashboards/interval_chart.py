"""A chart of points with their intervals, one per line: shares of dealers, results of players, wins of tables."""

from collections.abc import Sequence
from math import ceil, floor, log10
from statistics import median
from typing import Any, NamedTuple

import altair as alt

from dashboards import formatting

_STEP = 34  # pixels per line, so that every name is beside its line
_TICKS = 8  # few enough that each has its number
_FAR = 20  # times the usual interval: beyond that a linear chart is one long bar and many dots
_INSIDE, _OUTSIDE = "#3b73b9", "#c2410c"


class Spread(NamedTuple):
    """One line: its name, value and interval, and the text shown under the pointer."""

    name: str
    value: float
    low: float
    high: float
    says: str
    outside: bool = False


def spreads(rows: Sequence[Spread], title: str, form: str, middle: str = "") -> Any:
    """Return the chart: a bar from low to high and a point at the value, with another shape and color if outside."""
    data = alt.InlineData(values=[{**row._asdict(), "outside": "outside" if row.outside else "inside"} for row in rows])
    order = [row.name for row in rows]
    line = alt.Y("name:N", sort=order, title=None, axis=alt.Axis(labelFontSize=14, labelLimit=260, labelOverlap=False))
    scale, ticks = _measure(rows)
    uneven = ", logarithmic scale" if scale is not alt.Undefined else ""
    axis = alt.Axis(format=form, labelFontSize=14, titleFontSize=14, title=f"{title}{uneven}", **ticks)
    told = [alt.Tooltip("name:N", title=middle or "of"), alt.Tooltip("says:N", title="what")]
    signs = ["inside", "outside"]
    base = alt.Chart(data)
    bars = base.mark_bar(height=8, opacity=0.5, cornerRadius=4, color="#7d8aa0").encode(
        x=alt.X("low:Q", axis=axis, scale=scale), x2="high:Q", y=line, tooltip=told
    )
    points = base.mark_point(filled=True, size=130, opacity=1).encode(
        x=alt.X("value:Q", axis=axis, scale=scale),
        y=line,
        tooltip=told,
        color=alt.Color("outside:N", scale=alt.Scale(domain=signs, range=[_INSIDE, _OUTSIDE]), legend=None),
        shape=alt.Shape("outside:N", scale=alt.Scale(domain=signs, range=["circle", "diamond"]), legend=None),
    )
    return alt.layer(bars, points).properties(height=alt.Step(_STEP), usermeta=formatting.DRAWN)


def _measure(rows: Sequence[Spread]) -> tuple[Any, dict[str, Any]]:
    """Return the scale and its ticks: linear, or logarithmic around zero if one line is far wider than the rest."""
    usual = median([(row.high - row.low) / 2 for row in rows]) if rows else 0
    widest = max((abs(each) for row in rows for each in (row.low, row.high, row.value)), default=0)
    if not usual or widest <= _FAR * usual:
        return alt.Undefined, {"tickCount": _TICKS}
    tens = [10.0**power for power in range(ceil(log10(usual)), floor(log10(widest)) + 1)]
    return alt.Scale(type="symlog", constant=usual), {"values": [*(-each for each in reversed(tens)), 0, *tens]}
