"""The record that the forger has: a day of two tables with a finding, and a day of another table eight days before.

It is made by the product, and so are its exports. Then the heads are signed again with the property's own key, at times
and with witnesses as a test wants them.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from consumers.trust.keeper import begin, open_keeper
from domain.rulebooks import newest
from projections.export.question import Scope
from tests.citations import ROOT
from tests.export import pits
from tests.export.forger import Forged, Head, Signer, line, signer, untarred
from tests.export.pits import Pit

BEFORE, DAY = "2026-11-10", "2026-11-18"
AWAY = 8 * 86_400_000_000
WITNESS, OTHER = signer("audit.example", 1, 4), signer("regulator.example", 2, 4)
FIRST_TIME, LAST_TIME = f"{BEFORE}T23:59:00Z", f"{DAY}T23:59:00Z"
_FOLDERS: list[Path] = []


def _lines() -> Iterator[list[dict[str, Any]]]:
    """Lines that the sources send, one file after the other."""
    openings = [json.loads(each) for each in (ROOT / "docs/examples/openings.jsonl").read_bytes().splitlines()]
    played = [json.loads(each) for each in (ROOT / "docs/examples/round.jsonl").read_bytes().splitlines()]
    house, table = openings
    table["book_digest"] = newest(table["book"]).digest
    early = [{**house, "gaming_day": BEFORE, "at": house["at"] - AWAY, "source_key": "office:before"}]
    early.append({**table, "table": "T6", "gaming_day": BEFORE, "at": table["at"] - AWAY, "source_key": "T6:before"})
    yield early
    closed = {"closer_cents": 5_000_000, "at": table["at"] - AWAY + 60_000_000, "source": "T6-pit"}
    yield [{"type": "table-closed.1", **closed, "source_key": "T6:closed", "stream": "T6"}]
    yield [house, table, {**table, "table": "T8", "source_key": "T8:opened"}]
    yield [*_of(played, "T7", 2500), *_of(played, "T8", 7500)]  # table 8 paid trips $50 too much


def _of(played: list[dict[str, Any]], table: str, trips: int) -> Iterator[dict[str, Any]]:
    for each in played:
        paid = each["type"] == "wager-paid.1" and each["wager"] == "trips"
        yield {
            **each,
            "stream": table,
            "source_key": f"{table}{each['source_key']}",
            **({"cents": trips} if paid else {}),
        }


def make(folder: Path) -> Pit:
    """Make the record once."""
    data = ("--data", str(folder / "pit"))
    early, closed, openings, rounds = map(list, _lines())
    for lines, keys, since in ((early, ("property", "T6"), BEFORE), (openings, ("T7", "T8", "watcher"), DAY)):
        _said(folder, lines, *data)
        for name in keys:
            made = pits.run("keys", "make", name, f"{name}-2026", "--from", f"{since}T00:00:00Z", *data)
            _said(folder, [json.loads(made.stdout)], *data)
        if lines is early:
            _said(folder, closed, *data)
            begin(folder / "pit", pits.ORIGIN, pits.NOW)
            pits.run("checkpoint", *data)
    _said(folder, rounds, *data)
    pits.run("watch", "--once", "--quiet", *data)
    pits.run("checkpoint", *data)
    with open_keeper(folder / "pit") as keeper:
        first, *_, last = keeper.sizes()
    return Pit(folder / "pit", "", 0, "", None, "", (last, first))  # type: ignore[arg-type]


def _said(folder: Path, lines: list[dict[str, Any]], *data: str) -> None:
    file = folder / "lines.jsonl"
    file.write_bytes(b"".join(map(line, lines)))
    pits.run("ingest", str(file), *data)


def use(folder: Path) -> None:
    """Set the folder in which the record is made at the first request."""
    _FOLDERS.append(folder)


@cache
def _pit() -> Pit:
    return make(_FOLDERS[-1])


@cache
def _taken(**scope: Any) -> Forged:
    of, file = _pit(), _FOLDERS[-1] / f"{len(list(_FOLDERS[-1].iterdir()))}.tar"
    pits.exported(of, Scope(**scope), file)
    with open_keeper(of.folder) as keeper:
        owner, sign = keeper.key, keeper.sign(b"") and _signer(of.folder)
        leaves = [json.loads(stretch.stored) for stretch in keeper.listed(0, of.sizes[0])]
    heads = [
        Head(of.sizes[1], FIRST_TIME, ((WITNESS, f"{BEFORE}T23:59:30Z"),)),
        Head(of.sizes[0], LAST_TIME, ((WITNESS, f"{DAY}T23:59:30Z"),)),
    ]
    taken = Forged(untarred(file.read_bytes()), Signer(owner.name, owner.public, sign), leaves, heads)
    return taken.bound()


def _signer(folder: Path) -> Any:
    """The property's own key, which its manager has."""

    def sign(words: bytes) -> bytes:
        with open_keeper(folder) as keeper:
            return keeper.sign(words)

    return sign


def days() -> Forged:
    """The export of the day, whole, ready to be forged; signed, it is honest."""
    taken = _taken(days=(DAY, DAY)).copy()
    return taken.listed_from(taken.heads[0].size)


def hand() -> Forged:
    """The export of one hand, about which something was found."""
    return _taken(hand=f"T8/{DAY}:1").copy().told()
