"""Rows of SQLite copied out of its own memory, without an object for each of their values. For numba."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from consumers.bulk.chaining import mark
from consumers.bulk.database import DONE, ROW
from consumers.bulk.forms import Bytes
from consumers.bulk.hot import copy, hot, outside, store_eight
from consumers.bulk.sha import ROOM
from consumers.bulk.tables import FACT, FACT_END, KIND, KIND_END, LONGEST, NUMBER, PLACE, PLACE_END, SEQUENCE, RowBatch

# SQLite's functions, under names that are registered before anything here is compiled.
_step = outside("catwalk_sqlite3_step", 1)
_blob = outside("catwalk_sqlite3_column_blob", 2, "uintp")
_bytes = outside("catwalk_sqlite3_column_bytes", 2)
_whole = outside("catwalk_sqlite3_column_int64", 2, "int64")
_type = outside("catwalk_sqlite3_column_type", 2)
_WHOLE, _TEXT = 1, 3
_HEX = 64


@hot
def _copied(statement: Any, column: int, out: Bytes, at: Any) -> Any:
    """Copy a value and return its end, or a negative number if it, or what was to stand before it, is too long."""
    if at < 0:
        return at
    address = _blob(statement, np.uintp(column))
    length = np.int64(_bytes(statement, np.uintp(column)))
    if length > LONGEST:
        return -LONGEST
    copy(out.ctypes.data + np.uintp(at), address, length)
    return at + length


def rows(statement: Any, batch: RowBatch) -> tuple[int, int]:
    """Fill a batch with the next rows; their number, and what SQLite answered last.

    The columns of the statement are position, sequence, fact, stream and type.
    """
    row, at, out, told, found = 0, 0, batch.letters, batch.rows, ROW
    while row < len(told) and at + 3 * LONGEST + 2 * ROOM < len(out):
        found = _step(statement)
        if found != ROW:
            break
        told[row, NUMBER] = _whole(statement, np.uintp(0))
        told[row, SEQUENCE] = _whole(statement, np.uintp(1))
        told[row, FACT], told[row, FACT_END] = at, _copied(statement, 2, out, at)
        told[row, PLACE] = told[row, FACT_END] + ROOM
        told[row, PLACE_END] = told[row, KIND] = _copied(statement, 3, out, told[row, PLACE])
        told[row, KIND_END] = _copied(statement, 4, out, told[row, KIND])
        if told[row, KIND_END] < 0:
            told[row, FACT] = -1
        else:
            at = told[row, KIND_END]
        row += 1
    return row, found


def inputs(statement: Any, said: Bytes, salts: NDArray[np.uint64]) -> tuple[int, Any]:
    """The number of inputs and the sum of their marks; the number is -1 if one is not as the gateway writes it.

    The columns of the statement are source, key, content, stream and sequence.
    """
    count, total = 0, np.uint64(0)
    while True:
        found = _step(statement)
        if found != ROW:
            return (count if found == DONE else -1), total
        for column in range(4):
            if _type(statement, np.uintp(column)) != _TEXT:
                return -1, total
        if _type(statement, np.uintp(4)) != _WHOLE or _bytes(statement, np.uintp(2)) != _HEX:
            return -1, total
        _copied(statement, 2, said, 32)
        at = 32 + _HEX
        for step, column in enumerate((0, 1, 3)):
            end = _copied(statement, column, said, at)
            if end < 0:
                return -1, total
            store_eight(said, 8 * step, np.uint64(end - at))
            at = end
        store_eight(said, 24, np.uint64(_whole(statement, np.uintp(4))))
        store_eight(said, at, np.uint64(0))
        total += mark(said, at, salts)
        count += 1
