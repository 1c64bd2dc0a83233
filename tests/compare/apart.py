"""Rounds and days that the two codes judge differently on purpose.

In a round with a card that is on record too often, wagers that do not depend on it are decided now (decision 0103). A day
under an edition that is not installed is shown without a house (decision 0077).
"""

import csv
import re
from typing import Final, NamedTuple

from tests.compare.intended import Record


class Apart(NamedTuple):
    """The rounds with a card too often, the days under an unknown edition, and the houses of these days alone."""

    rounds: frozenset[tuple[str, int]] = frozenset()
    days: frozenset[str] = frozenset()
    houses: frozenset[str] = frozenset()


NOTHING: Final = Apart()
_UNDECIDED: Final = "cards no deck of this game can deal"
# Fields that follow from a decided wager, in the rows of its round and in the sums of its day.
_OF_A_ROUND: Final = {
    "hands": frozenset({"owed_cents", "difference_cents"}),
    "player_hands": frozenset({"owed_cents", "difference_cents"}),
    "rounds": frozenset({"decided", "undecided", "owed_cents"}),
    "wagers": frozenset({"owed_cents", "difference_cents", "clause", "basis", "undecided"}),
}
_OF_A_DAY: Final = {
    "dealer_days": frozenset({"decided", "undecided"}),
    "player_days": frozenset({"open"}),
    "table_days": frozenset({"decided", "undecided"}),
}
_COUNTED: Final = frozenset({"decided", "the record contradicts itself"})
_WITH_HOUSE: Final = frozenset({"player_wagers", "rounds", "tables", "wager_days"})
_EDITION: Final = re.compile(r'(?<="digest":)"[0-9a-f]{64}"')


def apart(rows: list[Record]) -> Apart:
    """Find these rounds and days in the rows of the earlier code."""
    days = {row.fields["stream"] for row in rows if row.fields.get("code") == "rule-book-unknown"}
    used = [(row.fields["stream"] in days, row.fields["house"]) for row in rows if row.place in _WITH_HOUSE]
    return Apart(
        frozenset(
            (row.fields["stream"], row.fields["round"])
            for row in rows
            if row.place == "wagers" and row.fields["undecided"] == _UNDECIDED
        ),
        frozenset(days),
        frozenset({house for alone, house in used if alone} - {house for alone, house in used if not alone}),
    )


def bare(record: Record, known: Apart) -> Record | None:
    """Leave out the fields that differ on purpose in these rounds and days; return nothing if it is the whole record."""
    fields, stream = record.fields, record.fields.get("stream")
    if record.place == "houses" and fields["house"] in known.houses:
        return None
    apart = frozenset({"house"}) if stream in known.days and record.place in _WITH_HOUSE else frozenset()
    if any(stream == day for day, _ in known.rounds):
        if record.place == "coverage" and fields["what"] in _COUNTED:
            return None
        if fields.get("type") == "stream-verified.1" and "wagers" in fields:
            wagers = {name: number for name, number in fields["wagers"].items() if name not in _COUNTED}
            return record._replace(fields={**fields, "wagers": wagers})
        apart |= _OF_A_DAY.get(record.place, frozenset())
    if (stream, fields.get("round")) in known.rounds:
        apart |= _OF_A_ROUND.get(record.place, frozenset())
    return record._replace(fields={name: value for name, value in fields.items() if name not in apart})


def bare_file(name: str, content: bytes, known: Apart) -> bytes:
    """Do the same with a file of an export; lines about other rounds and days keep their bytes."""
    table = name.removeprefix("data/tables/").removesuffix(".csv")
    if name == "data/question.json" and known.days:
        return _EDITION.sub("", content.decode()).encode()
    if not any(known) or table not in {"coverage", *_OF_A_ROUND}:
        return content
    first, *lines = content.decode().splitlines(keepends=True)
    (columns,) = csv.reader([first])
    told = [first]
    for line in lines:
        (cells,) = csv.reader([line])
        fields = dict(zip(columns, cells, strict=True))
        number = {"round": int(fields["round"])} if "round" in fields else {}
        record = Record("row", table, {**fields, **number})
        kept = bare(record, known)
        if kept is not None:
            told.append(line if kept == record else ",".join(map(str, kept.fields.values())) + "\r\n")
    return "".join(told).encode()
