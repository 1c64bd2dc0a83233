"""`catwalk map`: turn another system's file into facts."""

import time
from io import BufferedReader
from pathlib import Path

import click
import msgspec

from consumers.feeding.checker import FeedChecker
from consumers.feeding.printing import in_words
from consumers.feeding.report import CLEAN, reported
from consumers.gateway.gateway import InputLine
from consumers.mapping.mapped import Cause, Mapped, Mapper
from consumers.mapping.reading import MappingError, read
from domain.feed import WRONG
from domain.spoken import number_of

_EXAMPLES = """\b
Examples:
  catwalk map docs/examples/mappings/results.toml docs/examples/mappings/results.csv > day.jsonl
  catwalk map --check results.toml results.csv > day.jsonl
  tail -f device.log | catwalk map device.toml - | catwalk ingest --data pit -

MAPPING says which columns make which facts: docs/mapping.md. FILE is CSV with a header line, or JSON Lines; `-` is
standard input. A row becomes all of its facts or none. Standard error names the first row of each cause for which rows
were refused, when it comes, and at the end how many there are. With --check, the facts are checked as `catwalk feed
check` does, and its report goes to standard error too.

\b
Exit status: 0 every row became facts or is to be ignored; 1 some rows became none, or --check has doubts; 2 usage
error, or a mapping that cannot be used; 3 --check says that the facts are wrong.
"""


@click.command("map", epilog=_EXAMPLES)
@click.argument("mapping", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--check", is_flag=True, help="Check the facts as a feed, too.")
@click.option("--json", "as_json", is_flag=True, help="Report the rows on standard error as one object.")
def map_command(mapping: Path, file: BufferedReader, *, check: bool, as_json: bool) -> None:
    """Turn FILE of another system into facts, one JSON line each, as MAPPING says."""
    checker = FeedChecker(lambda: time.time_ns() // 1000) if check else None
    try:
        mapper = Mapper(read(mapping))
        ended = False
        try:
            _write(mapper, file, checker, as_json=as_json)
            ended = True
        finally:
            mapped = mapper.mapped
            if ended or mapped.rows:  # a file that cannot be read is no file without rows
                click.echo(msgspec.json.encode(_object(mapped)) if as_json else _told(mapped), err=True)
    except MappingError as error:
        raise click.UsageError(str(error)) from error
    status = 1 if mapped.refused or not mapped.rows else 0
    if checker is not None and mapped.facts:
        report = reported(checker)
        for line in in_words(report):
            click.echo(line, err=True)
        status = max(status, 3 if report.verdict == WRONG else int(report.verdict != CLEAN))
    raise SystemExit(status)


def _write(mapper: Mapper, file: BufferedReader, checker: FeedChecker | None, *, as_json: bool) -> None:
    for number, line in enumerate(mapper.lines(file), start=1):
        if not isinstance(line, Cause):
            click.echo(line)
            if checker is not None:
                checker.take([InputLine("fact", number, line.encode())])
        elif not as_json:
            click.echo(f"line {line.line} is refused: {line.says}", err=True)


def _told(mapped: Mapped) -> str:
    if not mapped.rows:
        return "The file has no rows."
    rows = number_of(mapped.rows - mapped.refused - mapped.ignored, "row")
    counts = f"{rows} became {number_of(mapped.facts, 'fact')}; {mapped.ignored} ignored, {mapped.refused} refused"
    causes = (f"  {number_of(each.rows, 'row')}, first line {each.line}: {each.says}" for each in mapped.causes)
    return "\n".join([counts, *causes])


def _object(mapped: Mapped) -> dict[str, object]:
    counts = {"rows": mapped.rows, "facts": mapped.facts, "ignored": mapped.ignored, "refused": mapped.refused}
    return counts | {"causes": msgspec.to_builtins(mapped.causes)}
