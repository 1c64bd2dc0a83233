"""`catwalk incidents`: findings with one root cause, as one line each, gravest first."""

from pathlib import Path
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from consumers.accounts.trail import asked, asker_options, trail_if_any
from consumers.asking.place import asking, read_folder
from consumers.record_place import place_options
from consumers.watching.finding_lines import items_of
from consumers.watching.shown import as_object
from consumers.watching.standing import standing
from domain.incidents import DEFAULT, TEXT, BadScaleError, FoundIncident, HumanScale, Item, incidents, load, valued
from domain.money import dollars
from domain.spoken import number_of
from projections.questions.incidents import won_against_expectation

_EXAMPLES = """\b
Examples:
  catwalk verify-log day.jsonl | catwalk incidents -
  catwalk incidents findings.jsonl --all
  catwalk incidents --data pit --json
  catwalk incidents --data pit --scale needs.toml

FILE is the output of catwalk verify-log. Without it, the findings that watchers wrote into the record are read; what
players won against expectation then comes from the data that catwalk project published.

An incident is one root cause with all of its findings. The scale of what needs a human is a file of the property's
own; without --scale, it is the one that catwalk incidents --show-scale prints.

\b
Exit status: 0 nothing needs a human; 1 something does; 2 usage error or unreadable lines.
"""


@click.command("incidents", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True), required=False)
@click.option("--all", "everything", is_flag=True, help="Also those that are only for the log.")
@click.option("--json", "as_json", is_flag=True, help="One object on each line.")
@click.option(
    "--scale",
    "scale_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The property's scale of what needs a human.",
)
@click.option("--show-scale", is_flag=True, help="Print the default scale, to edit, and end.")
@asker_options
@place_options
@click.pass_context
def incidents_command(
    context: click.Context,
    *,
    file: str | None,
    everything: bool,
    as_json: bool,
    scale_file: Path | None,
    show_scale: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Show incidents: findings with one root cause, gravest first, and whether each needs a human."""
    if show_scale:
        click.echo(TEXT, nl=False)
        return
    typed = [name for name in ("data", "kafka") if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if file is not None and typed:
        raise click.UsageError(f"FILE and --{typed[0]} exclude each other: give one of them.")
    scale = _scale(scale_file)
    if file is not None:
        with click.open_file(file, "rb") as lines:
            items = list(items_of(lines, "standard input" if file == "-" else file))
    else:
        with trail_if_any(data, kafka, state) as told:
            if told is not None:
                told.asks(asked())
        items = [msgspec.convert(as_object(finding), Item) for finding in standing(data, kafka, _left_out)]
    found = incidents(items, scale=scale)
    if file is None:
        found = _valued(found, read_folder(data, state if kafka else None), scale)
    found.sort(key=lambda each: each.gravity)
    human = [each for each in found if each.needs_human]
    for each in found if everything or as_json else human:
        click.echo(msgspec.json.encode(as_json_object(each)) if as_json else as_text(each))
    if not as_json:
        click.echo(
            f"{number_of(len(found), 'incident')} of {number_of(len(items), 'finding')}: "
            f"{number_of(len(human), 'incident')} for a human",
            err=True,
        )
    if human:
        raise SystemExit(1)


def _valued(found: list[FoundIncident], folder: Path, scale: HumanScale) -> list[FoundIncident]:
    """Return incidents with what players won in them, as far as read models are published."""
    if not (folder / "current").exists():
        click.echo(f"{folder} has no published data, so exposure is unknown: run catwalk project.", err=True)
        return found
    with asking(folder) as reading:
        return valued(found, lambda spans: won_against_expectation(reading, spans), scale)


def _left_out(position: int, why: str) -> None:
    click.echo(f"record {position} of the findings log was left out: {why}; run catwalk doctor", err=True)


def _scale(file: Path | None) -> HumanScale:
    if file is None:
        return DEFAULT
    try:
        return load(file.read_text(encoding="utf-8"), str(file))
    except (BadScaleError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{error}") from error


def as_json_object(each: FoundIncident) -> dict[str, Any]:
    """Return an incident as one JSON object."""
    return {
        "incident": each.incident,
        "stream": each.stream,
        "findings": [item.finding for item in each.findings],
        "primary": each.primary.finding,
        "code": each.primary.code,
        "severity": each.severity,
        "from_round": each.from_round,
        "to_round": each.to_round,
        "from_at": each.from_at,
        "to_at": each.to_at,
        "seats": each.seats,
        "dealers": each.dealers,
        "decks": each.decks,
        "needs_human": bool(each.needs_human),
        "why_human": each.needs_human,
        "error_cents": each.error_cents,
        "too_much_cents": each.too_much_cents,
        "too_little_cents": each.too_little_cents,
        "exposure_cents": each.exposure_cents,
        "says": each.says,
        "because": each.because,
    }


def as_text(each: FoundIncident) -> str:
    """Return an incident as one line for people."""
    rounds = "" if each.from_round is None else f" round {each.from_round}"
    if each.to_round != each.from_round:
        rounds = f" rounds {each.from_round} to {each.to_round}"
    money = f" [{dollars(each.error_cents)}]" if each.error_cents else ""
    many = f" ({number_of(len(each.findings), 'finding')})" if len(each.findings) > 1 else ""
    return f"{each.severity}: {each.stream}{rounds}{money}: {each.says}{many}"
