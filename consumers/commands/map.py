"""`catwalk map`: turn another system's file into facts."""

from io import BufferedReader
from pathlib import Path

import click
import msgspec

from consumers.mapping.mapped import Mapped, Mapper
from consumers.mapping.reading import MappingError, read
from domain.spoken import number_of

_EXAMPLES = """\b
Examples:
  catwalk map docs/examples/mappings/results.toml docs/examples/mappings/results.csv > day.jsonl
  catwalk map results.toml results.csv | catwalk ingest --data pit -
  tail -f device.log | catwalk map device.toml - | catwalk ingest --data pit -

MAPPING says which columns make which facts: docs/mapping.md. FILE is CSV with a header line, or JSON Lines; `-` is
standard input. A row becomes all of its facts or none. Standard error says how many rows became facts, and groups the
others by cause with the line of the first.

\b
Exit status: 0 every row became facts or is to be ignored; 1 some rows became none; 2 usage error, or a mapping that
cannot be used.
"""


@click.command("map", epilog=_EXAMPLES)
@click.argument("mapping", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--json", "as_json", is_flag=True, help="Report the rows on standard error as one object.")
def map_command(mapping: Path, file: BufferedReader, *, as_json: bool) -> None:
    """Turn FILE of another system into facts, one JSON line each, as MAPPING says."""
    try:
        mapper = Mapper(read(mapping))
    except MappingError as error:
        raise click.UsageError(str(error)) from error
    for line in mapper.lines(file):
        click.echo(line)
    mapped = mapper.mapped
    click.echo(msgspec.json.encode(_object(mapped)) if as_json else _told(mapped), err=True)
    if mapped.refused or not mapped.rows:
        raise SystemExit(1)


def _told(mapped: Mapped) -> str:
    if not mapped.rows:
        return "The file has no rows."
    counts = f"{mapped.rows - mapped.refused - mapped.ignored} rows became {mapped.facts} facts"
    lines = [f"{counts}; {mapped.ignored} ignored, {mapped.refused} refused"]
    for cause in mapped.causes:
        came = f"; came {cause.came!r}" if cause.came else ""
        many = number_of(cause.rows, "row")
        lines.append(f"  {many}, first line {cause.line}: {cause.where}: expected {cause.expected}{came}")
    return "\n".join(lines)


def _object(mapped: Mapped) -> dict[str, object]:
    causes = msgspec.to_builtins(mapped.causes)
    counts = {"rows": mapped.rows, "facts": mapped.facts, "ignored": mapped.ignored, "refused": mapped.refused}
    return counts | {"causes": causes}
