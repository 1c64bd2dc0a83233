"""A map of an SQLite file, read off its format with nothing of the project's own: what each byte of it is for.

A byte that is for nothing may say anything. Those are the places between the cells of a page, the rest of a free block
behind its own head, free pages, what an overflow page has left over, and two fields of the header.
"""

import sqlite3
import struct
from contextlib import closing
from pathlib import Path

COOKIE = "header: the counter by which a reader knows its schema"
VERSION = "header: the version of SQLite that wrote last"
UNUSED = "free space: between the cells of a page"
BLOCK = "free space: a free block"
PAGE = "free space: a free page"
OVERFLOW = "free space: behind the end of a long record"
ROW_NUMBER = "the place a row's number has in its record, which is read from its key"
LEAF_TABLE, INNER_TABLE, LEAF_INDEX, INNER_INDEX = 13, 5, 10, 2


class Pages:
    """The bytes of a database file at rest that are for nothing, each with the reason."""

    def __init__(self, path: Path) -> None:
        self.stored = path.read_bytes()
        self.size = struct.unpack_from(">H", self.stored, 16)[0]
        self.free: dict[int, str] = {}
        self.free |= dict.fromkeys(range(40, 44), COOKIE) | dict.fromkeys(range(96, 100), VERSION)
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
            rows = db.execute("SELECT rootpage, sql FROM sqlite_schema WHERE rootpage > 0").fetchall()
        for root, made in [(1, ""), *rows]:
            self._tree(root, numbered="INTEGER PRIMARY KEY" in (made or "").upper())
        self._freelist()

    def why(self, at: int) -> str:
        """The reason why this byte carries nothing, if it carries nothing."""
        return self.free.get(at, "")

    def _tree(self, number: int, *, numbered: bool) -> None:
        start = (number - 1) * self.size
        head = start + (100 if number == 1 else 0)
        kind, block, count, _, _ = struct.unpack_from(">BHHHB", self.stored, head)
        inner = kind in (INNER_TABLE, INNER_INDEX)
        array = head + (12 if inner else 8)
        used = set(range(head, array + 2 * count))
        for cell in struct.unpack_from(f">{count}H", self.stored, array):
            used |= set(range(start + cell, self._cell(kind, start + cell, numbered=numbered)))
            if inner:
                self._tree(struct.unpack_from(">I", self.stored, start + cell)[0], numbered=numbered)
        if inner:
            self._tree(struct.unpack_from(">I", self.stored, head + 8)[0], numbered=numbered)
        while block:
            following, size = struct.unpack_from(">HH", self.stored, start + block)
            used |= set(range(start + block, start + block + 4))
            self.free |= dict.fromkeys(range(start + block + 4, start + block + size), BLOCK)
            used |= set(range(start + block + 4, start + block + size))
            block = following
        self.free |= {at: UNUSED for at in range(head, start + self.size) if at not in used}

    def _cell(self, kind: int, at: int, *, numbered: bool) -> int:
        """The end of a cell."""
        begin = at
        at += 4 if kind in (INNER_TABLE, INNER_INDEX) else 0
        length, at = self._number(at)
        if kind == INNER_TABLE:
            return at  # the value read is the key
        if kind == LEAF_TABLE:
            _, at = self._number(at)
            if numbered:
                _, types = self._number(at)
                self.free[types] = ROW_NUMBER
        most = self.size - 35 if kind == LEAF_TABLE else (self.size - 12) * 64 // 255 - 23
        if length <= most:
            return max(at + length, begin + 4)
        least = (self.size - 12) * 32 // 255 - 23
        kept = least + (length - least) % (self.size - 4)
        kept = kept if kept <= most else least
        left, page = length - kept, struct.unpack_from(">I", self.stored, at + kept)[0]
        while left > 0:
            start = (page - 1) * self.size
            here = min(left, self.size - 4)
            self.free |= dict.fromkeys(range(start + 4 + here, start + self.size), OVERFLOW)
            left, page = left - here, struct.unpack_from(">I", self.stored, start)[0]
        return at + kept + 4

    def _number(self, at: int) -> tuple[int, int]:
        found = 0
        for count in range(9):
            byte = self.stored[at + count]
            if count == 8:
                return found << 8 | byte, at + 9
            found = found << 7 | byte & 0x7F
            if byte < 0x80:
                return found, at + count + 1
        raise AssertionError

    def _freelist(self) -> None:
        trunk = struct.unpack_from(">I", self.stored, 32)[0]
        while trunk:
            start = (trunk - 1) * self.size
            trunk, count = struct.unpack_from(">II", self.stored, start)
            self.free |= dict.fromkeys(range(start + 8 + 4 * count, start + self.size), PAGE)
            for leaf in struct.unpack_from(f">{count}I", self.stored, start + 8):
                self.free |= dict.fromkeys(range((leaf - 1) * self.size, leaf * self.size), PAGE)
