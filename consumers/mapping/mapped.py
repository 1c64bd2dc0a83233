"""Facts of a row: each step's condition, its loops, and the fields with their cells filled in."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any

import msgspec

from consumers.mapping.reading import Mapping, MappingError, MappingStep, Not, Where
from consumers.mapping.rows import Row, UnreadableRowError, rows
from consumers.mapping.values import UnreadableValueError, Values
from domain.facts.inputs import RefusedInputError, read_input

_CELL = re.compile(r"\{([^{}:?]+)(?::([\w.]+(?:#(?:\d+|<\w+>))?))?(\?)?\}")
_ABSENT = object()

LINE = "#"  # the column that holds the number of a row's line

Loops = dict[str, Any]


class Cause(msgspec.Struct):
    """The reason for which rows became no facts: the place, what is expected, the first such row, and their number."""

    where: str
    expected: str
    line: int
    came: str
    rows: int = 0


class Mapped(msgspec.Struct):
    """Counts of rows and facts so far."""

    rows: int = 0
    facts: int = 0
    ignored: int = 0
    refused: int = 0
    by_cause: dict[tuple[str, str], Cause] = {}

    @property
    def causes(self) -> list[Cause]:
        """The reasons for which rows were refused, the most frequent first."""
        return sorted(self.by_cause.values(), key=lambda cause: (-cause.rows, cause.line))


class _TroubleError(ValueError):
    def __init__(self, where: str, came: str, expected: str) -> None:
        super().__init__(expected)
        self.where, self.came, self.expected = where, came, expected


class Mapper:
    """A mapping in use: it turns rows into lines of facts, and counts."""

    def __init__(self, mapping: Mapping) -> None:
        self._mapping = mapping
        self._values = Values(mapping)
        self._ran: set[int] = set()  # the steps that ran at a row
        self._keys: dict[str, int] = {}  # the line of each row's key
        self.mapped = Mapped()
        for _, name, _ in _CELL.findall(json.dumps(msgspec.to_builtins(mapping), ensure_ascii=False)):
            if (name := name.partition("#")[0]) and name not in self._values.readers:
                known = ", ".join(sorted(self._values.readers))
                raise MappingError(f"the mapping reads a cell as {name!r}; known are {known}")

    def lines(self, file: Iterable[bytes]) -> Iterator[str]:
        """Yield the lines of facts of all rows; a row with a problem yields none and is counted."""
        for number, row in rows(file, self._mapping.rows):
            self.mapped.rows += 1
            try:
                found = self._row(row if isinstance(row, UnreadableRowError) else {**row, LINE: str(number)})
            except _TroubleError as error:
                cause = Cause(error.where, error.expected, number, error.came)
                self.mapped.by_cause.setdefault((error.where, error.expected), cause).rows += 1
                self.mapped.refused += 1
                continue
            self.mapped.facts += len(found)
            yield from found

    def _row(self, row: Row | UnreadableRowError) -> list[str]:
        if isinstance(row, UnreadableRowError):
            raise _TroubleError("the row", "", str(row))
        if any(self._meets(row, where) for where in self._mapping.ignore):
            self.mapped.ignored += 1
            return []
        key = self._filled_in(self._mapping.key, row)
        if earlier := self._keys.get(key):
            raise _TroubleError("key", key, f"a key for each row; line {earlier} has this one")
        found: list[str] = []
        ran = set()
        for at, step in enumerate(self._mapping.step):
            if step.first and at in self._ran:
                continue
            for loops in _loops(step):
                if self._meets(row, _when(step, loops)):
                    ran.add(at)
                    for place, fact in enumerate(self._facts(step, row, loops), start=len(found) + 1):
                        found.append(_line({**fact, "source_key": f"{key}:{place}"}, at + 1))
        if not found:
            raise _TroubleError("the row", "", "a row that a step or `ignore` covers")
        self._ran |= ran
        self._keys[key] = int(row[LINE])
        return found

    def _facts(self, step: MappingStep, row: Row, loops: Loops) -> Iterator[dict[str, Any]]:
        for told in step.facts:
            one = _filled(told, loops)
            if self._meets(row, msgspec.convert(one.pop("when", {}), Where)):
                fields = {name: self._filled_in(value, row) for name, value in (self._mapping.every | one).items()}
                yield {name: value for name, value in fields.items() if value is not _ABSENT}

    def _filled_in(self, value: Any, row: Row) -> Any:
        """Return a value of the mapping with the cells of a row filled in."""
        if isinstance(value, list):
            return [self._filled_in(each, row) for each in value]
        if isinstance(value, dict):
            return {name: self._filled_in(each, row) for name, each in value.items()}
        if not isinstance(value, str):
            return value
        if whole := _CELL.fullmatch(value):
            return self._cell(row, *whole.groups())
        cells = (self._cell(row, *found.groups()) for found in _CELL.finditer(value))
        return _CELL.sub(lambda _: "" if (cell := next(cells)) is _ABSENT else str(cell), value)

    def _cell(self, row: Row, column: str, kind: str | None, optional: str | None) -> Any:
        if not (cell := self._read(row, column)):
            if optional:
                return _ABSENT
            raise _TroubleError(
                f"column {column}", "nothing", f"a value; write {{{column}:{kind or 'text'}?}} if it may be empty"
            )
        kind, _, place = (kind or "text").partition("#")
        try:
            value = self._values.readers[kind](cell)
            return value if not place else _at(value, int(place))
        except UnreadableValueError as error:
            raise _TroubleError(f"column {column}", cell, str(error)) from error

    def _meets(self, row: Row, where: Where) -> bool:
        """Return whether a row holds what a condition asks of each column."""
        for column, wanted in where.items():
            cell = self._read(row, column)
            if isinstance(wanted, Not):
                met = cell not in wanted.none_of
            else:
                met = bool(cell) if wanted == "*" else cell in ([wanted] if isinstance(wanted, str) else wanted)
            if not met:
                return False
        return True

    def _read(self, row: Row, column: str) -> str:
        """Return a cell. An object of JSON may leave a member out, and a line of CSV has all columns."""
        if column not in row and self._mapping.rows.format == "csv":
            raise _TroubleError(f"column {column}", "no such column", f"one of {', '.join(row)}")
        return row.get(column, "")


def _line(fact: dict[str, Any], step: int) -> str:
    """Return the line of a fact, if it is one."""
    line = json.dumps(fact, ensure_ascii=False, separators=(",", ":"))
    try:
        read_input(line.encode())
    except RefusedInputError as error:
        kind = fact.get("type", "a fact without a type")
        raise _TroubleError(f"step {step}, {kind}", "", str(error)) from error
    return line


def _at(value: Any, place: int) -> Any:
    """Return one card of a list, counted from 1."""
    if not isinstance(value, list) or not 1 <= place <= len(value):
        raise UnreadableValueError(f"at least {place} cards")
    return value[place - 1]


def _loops(step: MappingStep) -> Iterator[Loops]:
    """Yield the names of a step's loops with each combination of their values."""
    columns = []
    for name, each in step.each.items():
        if isinstance(each, dict):
            columns.append([{name: key, f"{name}:value": value} for key, value in each.items()])
        else:
            columns.append([{name: value} for value in each])
    for combination in product(*columns):
        yield {name: value for one in combination for name, value in one.items()}


def _when(step: MappingStep, loops: Loops) -> Where:
    return {_filled(column, loops): wanted for column, wanted in step.when.items()}


def _filled(value: Any, loops: Loops) -> Any:
    """Return a part of the mapping with the values of its loops filled in."""
    if isinstance(value, dict):
        return {_filled(name, loops): _filled(each, loops) for name, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, loops) for each in value]
    if not isinstance(value, str):
        return value
    for name, held in loops.items():
        if value == f"<{name}>":
            return held
        value = value.replace(f"<{name}>", str(held))
    return value
