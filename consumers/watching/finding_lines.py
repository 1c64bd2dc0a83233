"""Lines of findings as `catwalk verify-log` prints them, read again."""

from collections.abc import Iterable, Iterator

import click
import msgspec

from domain.clauses import SEVERITIES
from domain.incidents import Item

_LINE = msgspec.json.Decoder(Item)


def items_of(lines: Iterable[bytes], where: str) -> Iterator[Item]:
    """Yield the findings in these lines; a line that is none ends the command and is named."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                item = _LINE.decode(line)
            except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                raise click.UsageError(f"{where} line {number} is no finding of catwalk verify-log: {error}") from error
            if item.severity not in SEVERITIES:
                allowed = ", ".join(SEVERITIES)
                raise click.UsageError(f"{where} line {number}: severity {item.severity!r} is none of {allowed}")
            yield item
