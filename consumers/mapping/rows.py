"""The rows of a file that is mapped, each with the number of its line."""

import csv
import json
import re
from collections.abc import Callable, Iterator, Mapping
from io import BufferedReader, TextIOWrapper
from typing import TypeVar

from consumers.mapping.reading import MappingError, RowForm

Row = Mapping[str, str]
Numbered = tuple[int, "Row | UnreadableRowError"]

_Held = TypeVar("_Held")
_UNDECODED = re.compile("[\udc80-\udcff]")


class UnreadableRowError(ValueError):
    """A row that cannot be read."""

    def __init__(self, cause: str, says: str) -> None:
        super().__init__(says)
        self.cause = cause


def rows(file: BufferedReader, form: RowForm, check: Callable[[list[str]], None]) -> Iterator[Numbered]:
    """Yield each row with the number of its line; a row that cannot be read is yielded as its error.

    `check` gets the header of a CSV file, and raises if the mapping does not fit it.
    """
    encoding = "utf-8-sig" if form.encoding.lower() in ("utf-8", "utf8") else form.encoding
    lines = TextIOWrapper(file, encoding, errors="surrogateescape", newline="" if form.format == "csv" else "\n")
    try:
        yield from _of_json(lines) if form.format == "jsonl" else _of_csv(lines, form, check)
    except UnicodeError as error:
        raise MappingError(f"rows.encoding is {form.encoding}, and the file is not: {error}") from error
    finally:
        lines.detach()


def _of_json(lines: TextIOWrapper) -> Iterator[Numbered]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, object_pairs_hook=_once)
        except UnreadableRowError as error:
            yield number, error
            continue
        except (ValueError, RecursionError) as error:
            yield number, UnreadableRowError("not JSON", f"it is not JSON: {error}")
            continue
        if not isinstance(value, dict):
            yield number, UnreadableRowError("not an object", "it is not a JSON object")
            continue
        try:
            yield number, _once(list(_flat(value)))
        except UnreadableRowError as error:
            yield number, error


def _once(pairs: list[tuple[str, _Held]]) -> dict[str, _Held]:
    """Return the members of an object; a name that comes twice would hide a value."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for at, name in enumerate(names) if name in names[:at])
        raise UnreadableRowError(f"{twice} twice", f"it has {twice} twice")
    return found


def _flat(value: dict[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the members of an object as text; members of objects in it have names with dots."""
    for name, held in value.items():
        if isinstance(held, dict):
            yield from _flat(held, f"{before}{name}.")
        elif held is None:
            yield before + name, ""
        else:
            yield before + name, held if isinstance(held, str) else json.dumps(held)


def _of_csv(lines: TextIOWrapper, form: RowForm, check: Callable[[list[str]], None]) -> Iterator[Numbered]:
    reader = csv.reader(lines, delimiter=form.delimiter, strict=True)
    header: list[str] = []
    while True:
        begin = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield begin, UnreadableRowError("not CSV", f"it is not CSV: {error}{_span(begin, reader.line_num)}")
            continue
        if any(_UNDECODED.search(cell) for cell in cells):
            says = f"it has bytes that are not {form.encoding}: name the file's encoding in [rows]"
            yield begin, UnreadableRowError("encoding", says)
        elif not header:
            header = [name.strip() for name in cells]
            _named_once(header)
            check(header)
        elif len(cells) == len(header):
            yield begin, dict(zip(header, (cell.strip() for cell in cells), strict=True))
        elif cells:
            says = f"it has {len(cells)} cells, and the header has {len(header)}{_span(begin, reader.line_num)}"
            yield begin, UnreadableRowError("cells", says)


def _named_once(header: list[str]) -> None:
    for at, name in enumerate(header):
        if name in header[:at]:
            raise MappingError(
                f"columns {header.index(name) + 1} and {at + 1} are both named {name!r}: rename one of them in the file"
            )


def _span(first: int, last: int) -> str:
    """Say which lines were read as one row: a quotation mark that is not closed swallows lines."""
    return f"; lines {first} to {last} are one row, because a quotation mark is not closed" if last > first else ""
