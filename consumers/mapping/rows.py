"""The rows of a file that is mapped, each with the number of its line."""

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping

from consumers.mapping.reading import RowForm

Row = Mapping[str, str]

_UNDECODED = re.compile("[\udc80-\udcff]")


class UnreadableRowError(ValueError):
    """A row that cannot be read; `line` is its number."""

    def __init__(self, line: int, says: str) -> None:
        super().__init__(says)
        self.line = line


def rows(lines: Iterable[bytes], form: RowForm) -> Iterator[tuple[int, Row | UnreadableRowError]]:
    """Yield each row with the number of its line; a row that cannot be read is yielded as its error."""
    return _of_json(lines) if form.format == "jsonl" else _of_csv(lines, form)


def _of_json(lines: Iterable[bytes]) -> Iterator[tuple[int, Row | UnreadableRowError]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, UnreadableRowError(number, f"it is not JSON: {error}")
            continue
        if isinstance(value, dict):
            yield number, dict(_flat(value))
        else:
            yield number, UnreadableRowError(number, "it is not a JSON object")


def _flat(value: dict[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the members of an object as text; members of objects in it have names with dots."""
    for name, held in value.items():
        if isinstance(held, dict):
            yield from _flat(held, f"{before}{name}.")
        elif held is None:
            yield before + name, ""
        else:
            yield before + name, held if isinstance(held, str) else json.dumps(held)


def _of_csv(lines: Iterable[bytes], form: RowForm) -> Iterator[tuple[int, Row | UnreadableRowError]]:
    reader = csv.reader(_text(lines, form.encoding), delimiter=form.delimiter, strict=True)
    header: list[str] = []
    while True:
        begin = reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield begin, UnreadableRowError(begin, f"it is not CSV: {error}")
            continue
        if any(_UNDECODED.search(cell) for cell in cells):
            yield (
                begin,
                UnreadableRowError(begin, f"it is not {form.encoding}: name its encoding in rows"),
            )
        elif not header:
            header = [name.strip() for name in cells]
        elif len(cells) == len(header):
            yield begin, dict(zip(header, (cell.strip() for cell in cells), strict=True))
        elif cells:
            yield begin, UnreadableRowError(begin, f"it has {len(cells)} cells, and the header has {len(header)}")


def _text(lines: Iterable[bytes], encoding: str) -> Iterator[str]:
    for at, line in enumerate(lines):
        named = "utf-8-sig" if at == 0 and encoding.lower() == "utf-8" else encoding
        yield line.decode(named, errors="surrogateescape")
