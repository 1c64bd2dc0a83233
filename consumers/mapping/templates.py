"""Steps of a mapping made ready: loops written out, and each field a value or a text with cells."""

import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from itertools import product
from typing import Any

import msgspec

from consumers.mapping.reading import MappingError, MappingStep, Where

_CELL = re.compile(r"\{([^{}:?]+)(?::([\w.]+)(?:#(\d+))?)?(\?)?\}")
_LOOP = re.compile(r"<\w+(?::value)?>")


class Cell(msgspec.Struct, frozen=True):
    """A cell of a row: its column, how it is read, which card of a list, and whether it may be empty."""

    column: str
    kind: str = "text"
    place: int = 0
    optional: bool = False

    @property
    def written(self) -> str:
        """The cell as the mapping writes it."""
        place = f"#{self.place}" if self.place else ""
        return f"{{{self.column}:{self.kind}{place}{'?' if self.optional else ''}}}"


class Text(msgspec.Struct, frozen=True):
    """A text with cells in it."""

    parts: tuple[str | Cell, ...]


class FactPlan(msgspec.Struct, frozen=True):
    """A fact that a row becomes: under which condition, and with which fields."""

    when: Where
    fields: Mapping[str, Any]


class StepPlan(msgspec.Struct, frozen=True):
    """One turn of a step's loops."""

    when: Where
    facts: tuple[FactPlan, ...]


class Templates:
    """The maker of templates: it refuses what no row could be read by, and keeps the columns that they read."""

    def __init__(self, kinds: Mapping[str, Any]) -> None:
        self._kinds = kinds
        self.columns: dict[str, str] = {}  # each column, with the place in the mapping that names it first

    def step(self, step: MappingStep, where: str, every: Mapping[str, Any]) -> list[StepPlan]:
        """Return one plan for each turn of the loops."""
        found = []
        for loops in _turns(step):
            facts = []
            for told in step.facts:
                one = _filled(told, loops)
                kind = str(one.get("type", "a fact without a type"))
                here = f"{where}, {kind}"
                left = set(one.pop("without", ()))
                fields = {name: value for name, value in every.items() if name not in left} | one
                when = self._when(fields.pop("when", {}), here)
                made = {name: self.value(value, f"{here}, {name}") for name, value in fields.items()}
                facts.append(FactPlan(when, made))
            found.append(StepPlan(self._when(_filled(msgspec.to_builtins(step.when), loops), where), tuple(facts)))
        return found

    def value(self, value: Any, where: str) -> Any:
        """Return a value of the mapping with its cells found."""
        if isinstance(value, dict):
            return {name: self.value(each, f"{where}.{name}") for name, each in value.items()}
        if isinstance(value, list):
            return [self.value(each, where) for each in value]
        if not isinstance(value, str):
            return value
        if left := _LOOP.search(value):
            raise MappingError(f"{where}: {value!r} names {left[0]}, and the step has no such loop in `each`")
        if whole := _CELL.fullmatch(value):
            return self._cell(whole, where)
        parts: list[str | Cell] = []
        end = 0
        for found in _CELL.finditer(value):
            parts += [value[end : found.start()], self._cell(found, where)]
            end = found.end()
        parts.append(value[end:])
        if any("{" in part or "}" in part for part in parts if isinstance(part, str)):
            raise MappingError(f"{where}: {value!r} has a brace that is no cell: write {{Column}} or {{Column:kind}}")
        return Text(tuple(parts)) if len(parts) > 1 else value

    def when(self, value: Any, where: str) -> Where:
        """Return a condition."""
        return self._when(value, where)

    def _when(self, value: Any, where: str) -> Where:
        try:
            found = msgspec.convert(value, Where)
        except msgspec.ValidationError as error:
            raise MappingError(f"{where}, when: {error}. Write columns and what they hold") from error
        for column in found:
            self.columns.setdefault(column, f"{where}, when")
        return found

    def _cell(self, found: re.Match[str], where: str) -> Cell:
        column, kind, place, optional = found.groups()
        if kind and kind not in self._kinds:
            near = get_close_matches(kind, self._kinds, 1)
            cure = f": write {near[0]}" if near else f"; known are {', '.join(sorted(self._kinds))}"
            raise MappingError(f"{where}: {found[0]} reads a cell as {kind!r}{cure}")
        self.columns.setdefault(column, where)
        return Cell(column, kind or "text", int(place or 0), bool(optional))


def _turns(step: MappingStep) -> Iterator[dict[str, Any]]:
    """Yield the names of a step's loops with each combination of their values."""
    columns = []
    for name, each in step.each.items():
        if isinstance(each, dict):
            columns.append([{name: key, f"{name}:value": value} for key, value in each.items()])
        else:
            columns.append([{name: value} for value in each])
    for combination in product(*columns):
        yield {name: value for one in combination for name, value in one.items()}


def _filled(value: Any, loops: Mapping[str, Any]) -> Any:
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
