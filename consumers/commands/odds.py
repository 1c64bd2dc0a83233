"""`catwalk odds`: the house edge and other figures of each wager, for a house's options."""

import csv
import io
import json
from typing import Any, TextIO

import click

from consumers.editions import RuleBookName, named_edition
from consumers.settling.option_text import read_option
from domain.odds import CAPS_LEFT_OUT, OddsReport, WagerOdds, odds_of
from domain.rulebooks import BadHouseError, House, HouseFinding, RuleBook, house, newest
from domain.rulebooks.overlay import lay

_EXAMPLES = """\b
Examples:
  catwalk odds UTH-MA --set trips_table=B
  catwalk odds UTH-MD --set progressive.table=C --set progressive.cards=hole-and-flop
  catwalk odds PIK --set dealer_qualifies=true --set bonus3_table=2 --json
  catwalk odds COL --set version=permissible --csv
  catwalk odds UTH-MD --config house.json
  echo '{"posted_odds": {"trips": {"flush": "8 to 1"}}}' | catwalk odds UTH-MA --config -

Figures are per unit wagered, and for the base game per ante. A positive edge favors the house. The hit rate is how
often a wager returns more than its stake. progressive@500 is that wager at $5.00, and cover_all@4 is with four hands
dealt. Payout caps are ignored.

\b
Exit status: 0 the odds were printed, with or without warnings; 2 the rule book, an option or the file could not be
read.
"""

_HEAD = ("wager", "house edge", "hit rate", "std dev", "risk", "method", "note")
_RIGHT = frozenset({1, 2, 3, 4})


@click.command("odds", epilog=_EXAMPLES)
@click.argument("book", metavar="RULEBOOK", type=RuleBookName())
@click.option("--set", "settings", metavar="KEY=VALUE", multiple=True, help="One option; repeat for more.")
@click.option("--config", "file", type=click.File("r"), help="A JSON object of options; `-` is standard input.")
@click.option("--dealing-method", help="How cards are dealt, if the options do not name it.")
@click.option("--edition", metavar="EDITION", help="This edition, as catwalk books lists it; default: the newest.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="One row of CSV for each wager.")
def odds_command(
    *,
    book: str,
    settings: tuple[str, ...],
    file: TextIO | None,
    dealing_method: str | None,
    edition: str | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Show house edge, hit rate and standard deviation of each wager for a house's options.

    RULEBOOK is one of UTH-MA, UTH-MD, PIK, FAH, COL. Options not given take the rule book's defaults. --set
    takes `key=value`, with a dot for a part of a group (`progressive.table=B` offers the progressive too); values
    are read as JSON where they are JSON and as text otherwise, and override those of --config.
    """
    if as_json and as_csv:
        raise click.UsageError("--json and --csv exclude each other: give one of them.")
    config = _read(file) if file else {}
    for setting in settings:
        lay(config, *read_option(setting, "--set"))
    if dealing_method is not None:
        config["dealing_method"] = dealing_method
    configured = _house(named_edition(book, edition) if edition else newest(book), config)
    report = odds_of(configured)
    findings = (*configured.findings, *report.warnings)
    if as_json:
        click.echo(json.dumps(answer(report, config, findings), indent=2))
        return
    for finding in findings:
        click.echo(f"warning: {finding.says} [{finding.code}, {finding.clause}]", err=True)
    click.echo(_csv(report) if as_csv else _table(report, configured), nl=not as_csv)


def _read(file: TextIO) -> dict[str, Any]:
    """Read the options from a file."""
    try:
        found = json.load(file)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise click.BadParameter(
            f"{file.name} is not JSON: {error}. Write one object.", param_hint="--config"
        ) from error
    if not isinstance(found, dict):
        raise click.BadParameter(f'{file.name} is not an object. Write {{"trips_table": "B"}}.', param_hint="--config")
    return found


def _house(book: RuleBook, config: dict[str, Any]) -> House:
    try:
        return house(book, config)
    except BadHouseError as error:
        lines = [f"{finding.says} ({finding.clause})" for finding in error.findings]
        message = "\n  ".join([f"these options are not allowed under {book.book}. Change or remove:", *lines])
        raise click.UsageError(message) from error


def answer(report: OddsReport, config: dict[str, Any], findings: tuple[HouseFinding, ...]) -> dict[str, Any]:
    """The report as the object that `--json` prints, with figures as fractions of one unit wagered."""
    return {
        "rulebook": report.rulebook,
        "config": config,
        "wagers": {name: _figures(odds) for name, odds in report.wagers.items()},
        "warnings": [{"code": finding.code, "clause": finding.clause, "says": finding.says} for finding in findings],
        "left_out": CAPS_LEFT_OUT,
    }


def _figures(odds: WagerOdds) -> dict[str, Any]:
    """The four figures that every wager has, plus those that only some have."""
    found: dict[str, Any] = {
        "house_edge": None if odds.house_edge is None else float(odds.house_edge),
        "hit_rate": None if odds.hit_rate is None else float(odds.hit_rate),
        "standard_deviation": odds.standard_deviation,
        "method": odds.method,
    }
    if odds.element_of_risk is not None:
        found["element_of_risk"] = float(odds.element_of_risk)
    if odds.value_per_other_player is not None:
        found["value_per_other_player"] = float(odds.value_per_other_player)
    if odds.interval_95 is not None:
        found["house_edge_interval_95"] = [float(end) for end in odds.interval_95]
    if odds.amount_cents is not None:
        found["amount_cents"] = odds.amount_cents
    if odds.note:
        found["note"] = odds.note
    return found


def _percent(value: Any) -> str:
    return "-" if value is None else f"{float(value):.4%}"


def _row(name: str, odds: WagerOdds) -> tuple[str, ...]:
    spread = "-" if odds.standard_deviation is None else f"{odds.standard_deviation:.4f}"
    notes = [odds.note] if odds.note else []
    if odds.interval_95 is not None:
        notes.append("95 % between " + " and ".join(map(_percent, odds.interval_95)))
    if odds.value_per_other_player is not None:
        notes.append(f"{float(odds.value_per_other_player):.6f} per unit")
    figures = (_percent(odds.house_edge), _percent(odds.hit_rate), spread, _percent(odds.element_of_risk))
    return (name, *figures, odds.method, "; ".join(notes))


def _table(report: OddsReport, configured: House) -> str:
    """A table for people, one row per wager."""
    rows = [_HEAD, *(_row(name, odds) for name, odds in report.wagers.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    lines = [
        "  ".join(
            text.rjust(width) if column in _RIGHT else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    title = f"{configured.book.title}. A positive edge is the house's. {CAPS_LEFT_OUT}"
    return "\n".join([title, "", *lines])


def _csv(report: OddsReport) -> str:
    """The same figures for a spreadsheet."""
    written = io.StringIO()
    names = ("house_edge", "hit_rate", "standard_deviation", "element_of_risk", "method", "amount_cents", "note")
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(("wager", *names))
    for name, odds in report.wagers.items():
        figures = _figures(odds)
        rows.writerow((name, *(figures.get(figure) for figure in names)))
    return written.getvalue()
