"""`catwalk feed check`: run a feed through everything without recording it, and report what looks wrong."""

import time
from io import BufferedReader
from pathlib import Path

import click
import msgspec

from consumers.feeding.checker import FeedChecker
from consumers.feeding.printing import in_json, in_words
from consumers.feeding.report import CLEAN, FeedReport, reported
from consumers.gateway.listening import SocketTroubleError, serve
from consumers.gateway.piped import batches
from domain.feed import DOUBTFUL, WRONG

_EXAMPLES = """\b
Examples:
  catwalk feed check day.jsonl
  device-feed | catwalk feed check -
  catwalk feed check --json day.jsonl | tail -n 1 | jq -r '.doubts[].cure'
  catwalk feed check --socket /tmp/try.sock

The command takes each line as a gateway does: it reads it, checks the source, gives it a place, and judges the rounds.
It records nothing. The headline is the share of rounds that are fully judged: every wager is decided. Then come the
doubts, each with its cure; the lines that a gateway would refuse, by cause, each with an example and the line that
mends it; the types of fact that the feed never says, with the clauses they would decide; and every type it says.

With --socket, it listens on a local socket like a gateway's, and reports on Ctrl-C or when all devices have hung up.
The same doubts about a feed that is being recorded are findings: feed-doubtful.

\b
Exit status: 0 the feed is clean; 1 it is doubtful; 2 usage error; 3 it is wrong.
"""
_STATUS = {CLEAN: 0, DOUBTFUL: 1, WRONG: 3}
_BATCH = 2000


_GROUP_EXAMPLES = """\b
Examples:
  catwalk feed check day.jsonl
  catwalk feed check --json -
"""


@click.group("feed", epilog=_GROUP_EXAMPLES)
def feed_command() -> None:
    """Check what a table system sends before it is recorded."""


@feed_command.command("check", epilog=_EXAMPLES)
@click.argument("file", type=click.File("rb"), required=False)
@click.option(
    "--socket", "path", type=click.Path(path_type=Path), help="Listen on this local socket instead of reading a file."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line; the last one is the verdict.")
def check_command(*, file: BufferedReader | None, path: Path | None, as_json: bool) -> None:
    """Check a feed without recording it.

    FILE has one fact or CloudEvent per line; `-` is standard input.
    """
    if file is not None and path is not None:
        raise click.UsageError("a FILE and --socket were both given: give one of them.")
    if file is None and path is None:
        raise click.UsageError("give a FILE, `-` for standard input, or --socket PATH.")
    checker = FeedChecker(_now)
    if path is not None:
        _listen(checker, path)
    elif file is not None:
        _read(checker, file)
    report = reported(checker)
    if not report.lines:
        raise click.UsageError("the feed has no lines.")
    _show(report, as_json=as_json)
    raise SystemExit(_STATUS[report.verdict])


def _read(checker: FeedChecker, file: BufferedReader) -> None:
    name = getattr(file, "name", "-")
    for batch in batches(file, "line" if name in ("-", "<stdin>") else str(name), _BATCH):
        checker.take(batch)


def _listen(checker: FeedChecker, path: Path) -> None:
    def heard() -> None:
        click.echo(f"listening on {path}; Ctrl-C ends it and reports", err=True)

    def say(told: str) -> None:
        click.echo(told, err=True)

    try:
        serve(checker, path, heard, say, until_all_left=True)
    except SocketTroubleError as error:
        raise click.UsageError(str(error)) from error


def _show(report: FeedReport, *, as_json: bool) -> None:
    if as_json:
        for told in in_json(report):
            click.echo(msgspec.json.encode(told))
    else:
        for line in in_words(report):
            click.echo(line)


def _now() -> int:
    return time.time_ns() // 1000
