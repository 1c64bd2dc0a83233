"""The file of sign-ins in the data or state folder: open sessions, failed attempts and locks, kept across restarts.

Only its owner can read it. It holds no password, and only hashes of sessions. The room and the commands of one folder
share it, so that every failed attempt counts.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

SIGN_INS: Final = "room/sign-ins.sqlite"  # in the data or state folder
_PATIENCE_SECONDS: Final = 10
_TABLES: Final = """
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS sessions (
    hash BLOB PRIMARY KEY,
    name TEXT NOT NULL,
    roles TEXT NOT NULL,
    proof TEXT NOT NULL,
    until REAL NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS failures (
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    count INTEGER NOT NULL,
    last REAL NOT NULL,
    until REAL NOT NULL,
    told INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (kind, name)
) STRICT;
CREATE TABLE IF NOT EXISTS secret (only_one INTEGER PRIMARY KEY CHECK (only_one = 1), bytes BLOB NOT NULL) STRICT;
COMMIT;
"""


class SignInFile:
    """The file of sign-ins. It is opened for each use, a few times a second at most."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / SIGN_INS

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """One exclusive transaction; it is durable when the block ends without an error."""
        with self._opened() as held:
            held.execute("BEGIN IMMEDIATE")
            try:
                yield held
            except BaseException:
                held.execute("ROLLBACK")
                raise
            held.execute("COMMIT")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading the file."""
        with self._opened() as held:
            yield held

    def secret(self) -> bytes:
        """The secret that signs cookies; stored, so that a restart does not sign people out."""
        with self.changing() as held:
            held.execute("INSERT OR IGNORE INTO secret VALUES (1, ?)", [os.urandom(32)])
            ((found,),) = held.execute("SELECT bytes FROM secret")
        return bytes(found)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        new = not self.path.exists()
        if new:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        with closing(sqlite3.connect(self.path, timeout=_PATIENCE_SECONDS, isolation_level=None)) as held:
            if new or not held.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                held.executescript(_TABLES)
            yield held
