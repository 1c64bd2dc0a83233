"""Facts of the rows of a file, as a mapping says; a row becomes all of its facts or none."""

import json
from collections.abc import Iterator
from difflib import get_close_matches
from io import BufferedReader
from typing import Any

import msgspec

from consumers.mapping.clock import UnreadableValueError
from consumers.mapping.reading import Mapping, MappingError, Not, Where
from consumers.mapping.rows import Row, UnreadableRowError, rows
from consumers.mapping.templates import Cell, StepPlan, Templates, Text
from consumers.mapping.values import Values
from domain.facts.inputs import RefusedInputError, read_input

LINE = "#"  # the column that holds the number of a row's line
_MOST_CAUSES = 100  # told apart; the others are counted together
_OTHERS = "other causes"
_KEYS = 1_000_000  # the newest rows whose keys are remembered: a pipe may never end
_ABSENT = object()


class Cause(msgspec.Struct):
    """The reason for which rows became no facts: the first such row and its sentence, and their number."""

    line: int
    says: str
    rows: int = 0


class Mapped(msgspec.Struct):
    """Counts of rows and facts so far."""

    rows: int = 0
    facts: int = 0
    ignored: int = 0
    refused: int = 0
    by_cause: dict[str, Cause] = {}

    @property
    def causes(self) -> list[Cause]:
        """The reasons for which rows were refused, the most frequent first."""
        return sorted(self.by_cause.values(), key=lambda cause: (-cause.rows, cause.line))


class _TroubleError(ValueError):
    """A row that becomes no facts; rows with the same cause are counted together."""

    def __init__(self, cause: str, says: str) -> None:
        super().__init__(says)
        self.cause = cause


class Mapper:
    """A mapping in use: it turns rows into lines of facts, and counts."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        values = Values(mapping)
        self._read = values.readers
        self._clock = values.clock
        self._templates = Templates(self._read)
        self._key = self._templates.value(mapping.key, "key")
        for name, value in mapping.every.items():
            self._templates.value(value, f"every, {name}")
        if self._clock.by_order and not mapping.every.get("stream"):
            raise MappingError("times.repeated_hour is by-order: name the table of each row in `stream` of [every]")
        self._table = self._templates.value(mapping.every.get("stream", ""), "every, stream")
        steps = enumerate(mapping.step, start=1)
        self._steps = [(step, self._templates.step(step, f"step {at}", mapping.every)) for at, step in steps]
        self._ignored = [self._templates.when(msgspec.to_builtins(each), "ignore") for each in mapping.ignore]
        self._ran: set[int] = set()  # the steps that ran at a row
        self._keys: dict[str, int] = {}  # the line of each row's key
        self.mapped = Mapped()

    def lines(self, file: BufferedReader) -> Iterator[str | Cause]:
        """Yield the lines of facts of all rows; a row with a problem yields its cause, if that is a new one."""
        for number, row in rows(file, self._mapping.rows, self._check_header):
            self.mapped.rows += 1
            try:
                found = self._row(row if isinstance(row, UnreadableRowError) else {**row, LINE: str(number)})
            except _TroubleError as error:
                if new := self._refused(number, error):
                    yield new
                continue
            self.mapped.facts += len(found)
            yield from found

    def _refused(self, line: int, error: _TroubleError) -> Cause | None:
        """Count a refused row; return its cause if no row had it before."""
        causes = self.mapped.by_cause
        name = error.cause if error.cause in causes or len(causes) < _MOST_CAUSES else _OTHERS
        known = name in causes
        cause = causes.setdefault(
            name, Cause(line, str(error) if name != _OTHERS else f"{_OTHERS}; the first: {error}")
        )
        cause.rows += 1
        self.mapped.refused += 1
        return None if known else cause

    def _check_header(self, header: list[str]) -> None:
        """Refuse a mapping that names a column which the file does not have."""
        for column, where in self._templates.columns.items():
            if column in header or column == LINE:
                continue
            if len(header) == 1:
                cure = "The header has one column only: set `delimiter` in [rows]"
            elif near := get_close_matches(column, header, 1):
                cure = f"Write {near[0]!r}"
            else:
                cure = f"The file has {', '.join(header)}"
            raise MappingError(f"{where}: the file has no column {column!r}. {cure}")

    def _row(self, row: Row | UnreadableRowError) -> list[str]:
        if isinstance(row, UnreadableRowError):
            raise _TroubleError(row.cause, str(row))
        if any(_meets(row, where) for where in self._ignored):
            self.mapped.ignored += 1
            return []
        key = self._value(self._key, row)
        if earlier := self._keys.get(key):
            raise _TroubleError("key", f"the key {key!r} is that of line {earlier}: each row needs a key of its own")
        self._clock.begin(str(self._value(self._table, row)) if self._clock.by_order else "")
        found: list[str] = []
        ran = set()
        for at, (step, plans) in enumerate(self._steps):
            if step.first and at in self._ran:
                continue
            for plan in plans:
                if _meets(row, plan.when):
                    ran.add(at)
                    found += self._lines(plan, row, key, at + 1, len(found))
        if not found:
            raise _TroubleError("no step", "no step makes a fact of it, and `ignore` does not name it")
        self._clock.keep()
        self._ran |= ran
        self._keys[key] = int(row[LINE])
        if len(self._keys) > _KEYS:
            del self._keys[next(iter(self._keys))]
        return found

    def _lines(self, plan: StepPlan, row: Row, key: str, step: int, before: int) -> Iterator[str]:
        for fact in plan.facts:
            if not _meets(row, fact.when):
                continue
            before += 1
            fields = {name: self._value(value, row) for name, value in fact.fields.items()}
            fields = {name: value for name, value in fields.items() if value is not _ABSENT}
            yield _line({**fields, "source_key": f"{key}:{before}"}, step)

    def _value(self, value: Any, row: Row) -> Any:
        """Return a value of the mapping with the cells of a row filled in."""
        if isinstance(value, Cell):
            return self._cell(value, row)
        if isinstance(value, Text):
            cells = (each if isinstance(each, str) else self._cell(each, row) for each in value.parts)
            return "".join("" if each is _ABSENT else str(each) for each in cells)
        if isinstance(value, dict):
            return {name: self._value(each, row) for name, each in value.items()}
        return [self._value(each, row) for each in value] if isinstance(value, list) else value

    def _cell(self, cell: Cell, row: Row) -> Any:
        held = row.get(cell.column, "")
        if not held:
            if cell.optional:
                return _ABSENT
            maybe = msgspec.structs.replace(cell, optional=True).written
            says = f"column {cell.column} is empty: write {maybe} in the mapping if it may be"
            raise _TroubleError(f"{cell.column} empty", says)
        try:
            value = self._read[cell.kind](held)
            if not cell.place:
                return value
            if not isinstance(value, list) or cell.place > len(value):
                raise UnreadableValueError(f"at least {cell.place} cards")
            return value[cell.place - 1]
        except UnreadableValueError as error:
            raise _TroubleError(cell.written, f"column {cell.column} holds {held[:80]!r}: expected {error}") from error


def _line(fact: dict[str, Any], step: int) -> str:
    """Return the line of a fact, if it is one."""
    line = json.dumps(fact, ensure_ascii=False, separators=(",", ":"))
    try:
        read_input(line.encode())
    except UnicodeEncodeError as error:
        raise _TroubleError("unicode", "it has half of a character, as JSON can write it") from error
    except RefusedInputError as error:
        refused = error.refused
        cause = f"step {step} {refused.code} {refused.type} {refused.field}"
        raise _TroubleError(cause, f"step {step}: {refused.says}") from error
    return line


def _meets(row: Row, where: Where) -> bool:
    """Return whether a row holds what a condition asks of each column."""
    for column, wanted in where.items():
        held = row.get(column, "")
        if isinstance(wanted, Not):
            met = held not in wanted.none_of
        else:
            met = bool(held) if wanted == "*" else held in ([wanted] if isinstance(wanted, str) else wanted)
        if not met:
            return False
    return True
