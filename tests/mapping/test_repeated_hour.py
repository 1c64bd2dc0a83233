"""Times of the hour that clocks repeat in fall: exact, chosen by the mapping, or refused, and never guessed.

At 2 a.m. on November 1, 2026, clocks in New York go back to 1 a.m.; on March 8, they skip from 2 to 3.
"""

from io import BufferedReader, BytesIO
from pathlib import Path
from typing import cast

import msgspec
import pytest

from consumers.mapping.mapped import Cause, Mapper
from consumers.mapping.reading import read

MAPPING = """
key = "{#}"
[every]
source = "results"
stream = "{Table}"
round = "{Hand:int}"
[times]
zone = "America/New_York"
[[step]]
facts = [
  { type = "wager-placed.1", at = "{Dealt:time}", seat = "{Seat:int}", wager = "ante", cents = 2500 },
  { type = "wager-collected.1", at = "{Settled:time}", seat = "{Seat:int}", wager = "ante", cents = 2500 },
]
"""
FIRST = 1_793_509_200_000_000  # 1 a.m. in New York, the first time
REFUSED = (
    "expected a time that is one moment; the clocks of America/New_York repeat 01:00 to 02:00 on 2026-11-01: send times"
    " with their offset, or set repeated_hour in [times] to first, second or by-order"
)


class _At(msgspec.Struct):
    at: int


def mapped(
    tmp_path: Path, rows: str, repeated: str = "", zone: str = "America/New_York"
) -> tuple[list[int], list[str]]:
    """Minutes after the first 1 a.m. of the facts that these rows become, and what is said of the others."""
    setting = f'\nrepeated_hour = "{repeated}"' if repeated else ""
    file = tmp_path / "mapping.toml"
    file.write_text(MAPPING.replace('"America/New_York"', f'"{zone}"{setting}'))
    lines = ["Table,Hand,Seat,Dealt,Settled"]
    for row in filter(None, rows.splitlines()):
        table, hand, seat, *times = row.split()
        lines.append(
            ",".join([table, hand, seat, *(time if "T" in time else f"2026-11-01T{time}:00" for time in times)])
        )
    found = list(Mapper(read(file)).lines(cast(BufferedReader, BytesIO("\n".join(lines).encode()))))
    facts = [line for line in found if not isinstance(line, Cause)]
    minutes = [(msgspec.json.decode(line, type=_At).at - FIRST) // 60_000_000 for line in facts]
    return minutes, [line.says for line in found if isinstance(line, Cause)]


ONE_ROW_A_SEAT = """
T1 1 1 01:10 01:11
T1 1 2 01:10 01:11
T1 2 1 01:12 01:13
"""


def test_a_time_of_the_repeated_hour_is_refused_if_the_mapping_does_not_choose(tmp_path: Path) -> None:
    rows = f"T1 0 1 00:58 00:59\n{ONE_ROW_A_SEAT}\nT1 9 1 02:00 02:01"
    assert mapped(tmp_path, rows) == ([-2, -1, 120, 121], [f"column Dealt holds '2026-11-01T01:10:00': {REFUSED}"])


def test_a_row_that_begins_before_the_hour_and_ends_in_it_is_refused_whole(tmp_path: Path) -> None:
    minutes, says = mapped(tmp_path, "T1 1 1 00:58 01:02")
    assert (minutes, says) == ([], [f"column Settled holds '2026-11-01T01:02:00': {REFUSED}"])


@pytest.mark.parametrize(("repeated", "more"), [("first", 0), ("second", 60), ("by-order", 0)])
def test_rows_of_several_seats_are_in_the_hour_that_the_mapping_says(repeated: str, more: int, tmp_path: Path) -> None:
    """Each seat's row begins again at the deal, before the settlement in the row above."""
    assert mapped(tmp_path, ONE_ROW_A_SEAT, repeated) == ([each + more for each in (10, 11, 10, 11, 12, 13)], [])


def test_a_time_with_its_offset_is_exact(tmp_path: Path) -> None:
    rows = "T1 1 1 2026-11-01T01:10:00-05:00 2026-11-01T01:11:00-05:00\nT1 2 1 2026-11-01T01:20:00-04:00 01:21"
    minutes, says = mapped(tmp_path, rows.replace(" 01:21", " 2026-11-01T01:21:00-04:00"))
    assert (minutes, says) == ([70, 71, 20, 21], [])


def test_by_order_each_table_begins_its_second_hour_for_itself(tmp_path: Path) -> None:
    """Tables in blocks or in turns; two seats of each hand; a hand across each of the two ends of the hour."""
    one = ["T1 1 1 00:58 01:02", "T1 1 2 00:58 01:02", "T1 2 1 01:57 01:59", "T1 2 2 01:57 01:59"]
    one += ["T1 3 1 01:58 01:01", "T1 4 1 01:02 01:04", "T1 4 2 01:02 01:04", "T1 5 1 01:57 02:01"]
    two = ["T2 1 1 01:30 01:31", "T2 2 1 01:50 01:51", "T2 3 1 01:20 01:21", "T2 4 1 01:55 01:56"]
    first = [-2, 2, -2, 2, 57, 59, 57, 59, 58, 61, 62, 64, 62, 64, 117, 121]
    second = [30, 31, 50, 51, 80, 81, 115, 116]
    assert mapped(tmp_path, "\n".join(one + two), "by-order") == (first + second, [])
    turns = [row for pair in zip(one, two, strict=False) for row in pair] + one[4:]
    minutes, says = mapped(tmp_path, "\n".join(turns), "by-order")
    assert (sorted(minutes), says) == (sorted(first + second), [])


def test_by_order_a_row_out_of_order_is_refused_and_moves_nothing(tmp_path: Path) -> None:
    """A third pass there is not; nor does a row that is refused begin the second hour."""
    rows = "T1 1 1 01:50 01:51\nT1 2 1 01:10 01:11\nT1 3 1 01:05 01:06\nT1 4 1 01:12 01:13"
    minutes, says = mapped(tmp_path, rows, "by-order")
    assert minutes == [50, 51, 70, 71, 72, 73]
    (said,) = says
    assert said == (
        "column Dealt holds '2026-11-01T01:05:00': expected a time that is not before that of the previous row, "
        "2026-11-01 01:10:00; the clocks of America/New_York repeat 01:00 to 02:00 on 2026-11-01: sort each table's "
        "rows by time"
    )
    minutes, _ = mapped(tmp_path, "T1 1 1 01:50 01:51\nT1 2 1 01:10 noon-T\nT1 3 1 01:52 01:53", "by-order")
    assert minutes == [50, 51, 52, 53]


def test_by_order_a_row_whose_times_are_an_hour_apart_is_refused(tmp_path: Path) -> None:
    """The only hand of the night: its end, after both hours, says that it began in the second."""
    minutes, says = mapped(tmp_path, "T1 1 1 01:58 02:03", "by-order")
    assert minutes == []
    (said,) = says
    assert said == (
        "column Settled holds '2026-11-01T02:03:00': expected a time within half an hour of the row's first one, which "
        "is in a repeated hour"
    )


def test_a_zone_that_repeats_half_an_hour_is_named_so(tmp_path: Path) -> None:
    """On April 5, 2026, Lord Howe goes back from 2 a.m. to 1:30."""
    _, says = mapped(tmp_path, "T1 1 1 2026-04-05T01:40:00 2026-04-05T01:41:00", zone="Australia/Lord_Howe")
    assert "the clocks of Australia/Lord_Howe repeat 01:30 to 02:00 on 2026-04-05" in says[0]


@pytest.mark.parametrize("repeated", ["", "first", "second", "by-order"])
def test_an_hour_that_clocks_skip_is_refused(repeated: str, tmp_path: Path) -> None:
    minutes, says = mapped(tmp_path, "T1 1 1 2026-03-08T02:30:00 2026-03-08T02:31:00", repeated)
    assert minutes == []
    assert "a time that America/New_York has; its clocks skip this hour" in says[0]
