"""SQLite's own functions for compiled code: a statement on a connection of its own, that nothing in Python steps.

It is the library that Python's sqlite3 uses: a second copy of SQLite in the same process would lose the locks of the
first.
"""

import ctypes
import importlib
import sqlite3
from contextlib import suppress
from typing import Any, Final

ROW, DONE = 100, 101  # what a step answers
_OK: Final = 0
_READ_ONLY, _NO_MUTEX = 1, 0x8000
_WAIT_MILLISECONDS: Final = 5_000
STEPPED: Final = (
    *("sqlite3_step", "sqlite3_column_blob", "sqlite3_column_bytes"),
    *("sqlite3_column_int64", "sqlite3_column_type"),
)
_CALLED: Final = ("sqlite3_open_v2", "sqlite3_prepare_v2", "sqlite3_finalize", "sqlite3_close_v2")


def library() -> Any:
    """The library that Python's sqlite3 is linked with, or None if it cannot be called from outside."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        # The libraries that a library is linked with are found through it.
        found = ctypes.CDLL(importlib.import_module("_sqlite3").__file__)
        return found if all(hasattr(found, name) for name in (*STEPPED, *_CALLED)) else None
    return None


class ReadStatement:
    """A prepared statement on a connection that changes nothing."""

    def __init__(self, library: Any, file: str, sql: str) -> None:
        self._library = library
        self._db, self._statement = ctypes.c_void_p(), ctypes.c_void_p()
        flags = _READ_ONLY | _NO_MUTEX
        try:
            self._done(library.sqlite3_open_v2(file.encode(), ctypes.byref(self._db), flags, None))
            self._done(library.sqlite3_busy_timeout(self._db, _WAIT_MILLISECONDS))
            asked = ctypes.byref(self._statement)
            self._done(library.sqlite3_prepare_v2(self._db, sql.encode(), -1, asked, None))
        except sqlite3.Error:
            self.close()
            raise

    @property
    def address(self) -> int:
        """The address of the statement, for compiled code."""
        return self._statement.value or 0

    def close(self) -> None:
        """End the statement and its connection."""
        self._library.sqlite3_finalize(self._statement)
        self._library.sqlite3_close_v2(self._db)

    def _done(self, code: int) -> None:
        if code != _OK:
            raise sqlite3.OperationalError(f"SQLite answers {code}")
