"""The chart of points and their intervals: on what scale it is drawn."""

from typing import Any

from dashboards.interval_chart import Spread, spreads

EVEN = [Spread(f"T{number}", 10.0 * number, -100.0, 150.0, "") for number in range(5)]
FAR = Spread("T9", -30_000.0, -58_000.0, 58_000.0, "", outside=True)


def _drawn(rows: list[Spread]) -> dict[str, Any]:
    told: dict[str, Any] = spreads(rows, "played, USD", ",.0f").to_dict()["layer"][0]["encoding"]["x"]
    return told


def test_lines_of_one_size_are_drawn_evenly() -> None:
    drawn = _drawn(EVEN)
    assert "scale" not in drawn
    assert drawn["axis"]["title"] == "played, USD"


def test_where_one_line_is_far_wider_the_scale_goes_by_tens_and_says_so() -> None:
    drawn = _drawn([*EVEN, FAR])
    assert (drawn["scale"]["type"], drawn["scale"]["constant"]) == ("symlog", 125.0)
    assert drawn["axis"]["values"] == [-10_000.0, -1_000.0, 0, 1_000.0, 10_000.0]
    assert drawn["axis"]["title"] == "played, USD, logarithmic scale"


def test_a_chart_of_nothing_is_a_chart() -> None:
    assert "scale" not in _drawn([])
