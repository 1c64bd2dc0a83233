"""Rounds with a card that is on record too often: wagers that do not depend on it are decided now (decision 0103)."""

import csv
from collections.abc import Iterable
from typing import Final

from tests.compare.intended import Record

Rounds = frozenset[tuple[str, int]]  # stream and number

_UNDECIDED: Final = "cards no deck of this game can deal"
# What follows from a decided wager: in the rows of its round, and in the sums of its day.
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


def rounds_of(rows: Iterable[Record]) -> Rounds:
    """Return the rounds in which the earlier code decided no wager for this reason."""
    return frozenset(
        (row.fields["stream"], row.fields["round"])
        for row in rows
        if row.place == "wagers" and row.fields["undecided"] == _UNDECIDED
    )


def as_undecided(record: Record, rounds: Rounds) -> Record | None:
    """Return a record without what follows from decided wagers of these rounds, or nothing if that is all of it."""
    fields, stream = record.fields, record.fields.get("stream")
    if not any(stream == day for day, _ in rounds):
        return record
    if record.place == "coverage" and fields["what"] in _COUNTED:
        return None
    if fields.get("type") == "stream-verified.1" and "wagers" in fields:
        wagers = {name: number for name, number in fields["wagers"].items() if name not in _COUNTED}
        return record._replace(fields={**fields, "wagers": wagers})
    apart = _OF_A_DAY.get(record.place, frozenset())
    if (stream, fields.get("round")) in rounds:
        apart |= _OF_A_ROUND.get(record.place, frozenset())
    return record._replace(fields={name: value for name, value in fields.items() if name not in apart})


def file_as_undecided(name: str, content: bytes, rounds: Rounds) -> bytes:
    """Return a table of an export likewise; lines about other rounds keep their bytes."""
    table = name.removeprefix("data/tables/").removesuffix(".csv")
    if not rounds or table not in {"coverage", *_OF_A_ROUND}:
        return content
    first, *lines = content.decode().splitlines(keepends=True)
    (columns,) = csv.reader([first])
    told = [first]
    for line in lines:
        (cells,) = csv.reader([line])
        fields = dict(zip(columns, cells, strict=True))
        number = {"round": int(fields["round"])} if "round" in fields else {}
        record = Record("row", table, {**fields, **number})
        bare = as_undecided(record, rounds)
        if bare is not None:
            told.append(line if bare == record else ",".join(map(str, bare.fields.values())) + "\r\n")
    return "".join(told).encode()
