"""Counts that the gateway still has to record, durable in the file of dead letters.

A letter and its count are one transaction. The fact that reports a count has the count's token in its key. So a gateway
that is killed after it places the fact, and before it removes the count, finds the key in its outbox after a restart:
nothing is lost, and nothing is reported twice.
"""

import sqlite3
from collections.abc import Iterable
from secrets import token_hex

import msgspec

from domain.facts.sources import Rule

TABLES = """
CREATE TABLE IF NOT EXISTS refused (
    rule TEXT, client TEXT, claimed TEXT, about TEXT, count INTEGER, letter TEXT, token TEXT,
    PRIMARY KEY (rule, client, claimed, about)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS clocks_off (token TEXT PRIMARY KEY, clock TEXT, off_by INTEGER, count INTEGER) WITHOUT ROWID;
"""
_COUNT = "INSERT INTO refused VALUES (?,?,?,?,1,?,?) ON CONFLICT DO UPDATE SET count = count + 1"


class RefusalKind(msgspec.Struct, frozen=True):
    """The features that refusals share if one fact reports them."""

    rule: Rule
    client: str
    claimed: str = ""
    about: str = ""


class RefusalCount(msgspec.Struct, frozen=True):
    """The number of refusals of a kind that are not on record yet, and the name of the first one's letter."""

    kind: RefusalKind
    count: int
    letter: str
    token: str


class ClockOff(msgspec.Struct, frozen=True):
    """A clock's last error, in microseconds, and the number of its refused facts."""

    token: str
    clock: str
    off_by: int
    count: int


class Unsaid:
    """The counts in one file; the caller wraps `counting` and `off` in its own transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def counting(self, kind: RefusalKind, letter: str) -> None:
        """Count one more refusal of this kind."""
        row = (kind.rule, kind.client, kind.claimed, kind.about, letter, token_hex(8))
        self._db.execute(_COUNT, row)

    def off(self, clock: str, by: int) -> None:
        """Count one more fact that was refused because this source's clock was off by this much."""
        counted = self._db.execute("UPDATE clocks_off SET off_by = ?, count = count + 1 WHERE clock = ?", (by, clock))
        if not counted.rowcount:
            self._db.execute("INSERT INTO clocks_off VALUES (?,?,?,1)", (token_hex(8), clock, by))

    def set(self, clock: str, by: int) -> None:
        """Note that a clock that was off by this much was set."""
        self._db.execute("INSERT INTO clocks_off VALUES (?,?,?,0)", (token_hex(8), clock, by))

    def refused(self) -> list[RefusalCount]:
        """Every count."""
        rows = self._db.execute("SELECT * FROM refused")
        return [RefusalCount(RefusalKind(*row[:4]), *row[4:]) for row in rows]

    def clocks(self) -> list[ClockOff]:
        """Every clock that was off."""
        return [ClockOff(*row) for row in self._db.execute("SELECT * FROM clocks_off")]

    def strike(self, tokens: Iterable[str]) -> None:
        """Remove counts that are now on record."""
        named = [(token,) for token in tokens]
        if named:
            self._db.execute("BEGIN IMMEDIATE")
            self._db.executemany("DELETE FROM refused WHERE token = ?", named)
            self._db.executemany("DELETE FROM clocks_off WHERE token = ?", named)
            self._db.execute("COMMIT")
