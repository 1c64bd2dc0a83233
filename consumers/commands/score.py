"""`catwalk score`: compare findings with the labels of a simulated floor."""

from pathlib import Path
from typing import Any

import click
import msgspec

from consumers.watching.finding_lines import items_of
from domain.incidents import IncidentScore, incidents, score_incidents
from domain.scoring import Label, Score, Scored, score

_EXAMPLES = """\b
Examples:
  catwalk simulate --incidents all --labels labels.jsonl --out day.jsonl
  catwalk verify-log day.jsonl > findings.jsonl
  catwalk score labels.jsonl findings.jsonl
  catwalk score labels.jsonl findings.jsonl --json

LABELS is the output of catwalk simulate --labels, and FINDINGS is the output of catwalk verify-log. If an incident
rightly causes a second finding, that finding belongs to its label too. Incidents that only a pattern over many rounds
shows (statistical) are counted separately.

It also counts incidents, as catwalk incidents groups the findings: how many one true cause makes, and how many hold the
findings of several causes.

\b
Exit status: 0 precision and recall are 1 over the deterministic incidents; 1 otherwise; 2 usage or unreadable lines.
"""


@click.command("score", epilog=_EXAMPLES)
@click.argument("labels", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("findings", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One object instead of a table.")
def score_command(labels: Path, findings: Path, *, as_json: bool) -> None:
    """Show precision and recall for each finding code: FINDINGS against LABELS."""
    put_there, found = _read(labels, Label), _read(findings, Scored)
    if not put_there and not found:
        raise click.UsageError(
            f"{labels} has no labels and {findings} no findings, so nothing was scored. "
            "Write labels with catwalk simulate --incidents all --labels FILE."
        )
    result = score(put_there, found)
    grouped = _grouped(put_there, findings)
    if as_json:
        told = _object(result) | (_of_incidents(grouped) if grouped else {})
        click.echo(msgspec.json.format(msgspec.json.encode(told), indent=2))
    else:
        _table(result)
        if grouped:
            click.echo(
                f"incidents: {grouped.incidents} for {grouped.causes} causes, {grouped.per_cause:.3f} each; "
                f"{len(grouped.merged)} hold several causes, {grouped.merged_share:.2%}"
            )
    if not result.perfect:
        raise SystemExit(1)


def _read(file: Path, kind: type[Any]) -> list[Any]:
    decoder = msgspec.json.Decoder(kind)
    found = []
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                try:
                    found.append(decoder.decode(line))
                except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
                    raise click.UsageError(f"{file} line {number}: {error}") from error
    return found


def _object(result: Score) -> dict[str, Any]:
    total, statistical = result.total, result.statistical
    return {
        "precision": total.precision,
        "recall": total.recall,
        "labels": total.labels,
        "findings": total.findings,
        "missed": [msgspec.to_builtins(label) for label in result.missed],
        "false": [msgspec.to_builtins(finding) for finding in result.false],
        "codes": {
            code: {**msgspec.to_builtins(count), "precision": count.precision, "recall": count.recall}
            for code, count in sorted(result.codes.items())
        },
        "statistical": {"labels": statistical.labels, "missed": statistical.missed, "recall": statistical.recall},
    }


def _grouped(labels: list[Label], findings: Path) -> IncidentScore | None:
    """Return the score of incidents; None if the findings lack what groups them, which standard error says."""
    try:
        with findings.open("rb") as lines:
            return score_incidents(labels, incidents(items_of(lines, str(findings))))
    except click.UsageError as error:
        click.echo(f"incidents were not counted: {error.message}", err=True)
        return None


def _of_incidents(told: IncidentScore) -> dict[str, Any]:
    return {"incidents": {**msgspec.to_builtins(told), "per_cause": told.per_cause, "merged_share": told.merged_share}}


def _table(result: Score) -> None:
    click.echo(f"{'code':34} {'labels':>6} {'missed':>6} {'findings':>8} {'false':>5}  precision  recall")
    rows = [*sorted(result.codes.items()), ("all", result.total)]
    for code, count in rows:
        counts = f"{count.labels:6} {count.missed:6} {count.findings:8} {count.false:5}"
        click.echo(f"{code:34} {counts}  {count.precision:9.4f}  {count.recall:6.4f}")
    for label in result.missed:
        click.echo(f"missed: {label.incident}: {label.own.code} in {label.own.stream} round {label.own.first_round}")
    for finding in result.false:
        click.echo(f"false: {finding.code} in {finding.stream} round {finding.round} seat {finding.seat}")
    if result.statistical.labels:
        found = result.statistical.labels - result.statistical.missed
        click.echo(f"statistical incidents: {found} of {result.statistical.labels} found, counted separately")
