"""Options and codes in typed form: `trips_table=B`, `progressive.table=C`, `posted_odds.trips.flush=8 to 1`."""

import json
from typing import Any

import click

from domain.clauses import findings


def read_option(setting: str, where: str) -> tuple[tuple[str, ...], Any]:
    """The path and the value of one `key=value`: parsed as JSON if possible, otherwise text."""
    key, equals, text = setting.partition("=")
    path = tuple(key.split("."))
    if not equals or not all(path):
        raise click.BadParameter(f"{setting!r} is not an option. Write KEY=VALUE: trips_table=B.", param_hint=where)
    try:
        return path, json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return path, text


def finding_code(code: str, option: str) -> str:
    """Return a finding's code that an option names, or raise an error with similar codes."""
    if code not in findings():
        like = ", ".join(sorted(name for name in findings() if code.split("-", maxsplit=1)[0] in name)[:8])
        there = f": is it one of {like}?" if like else ""
        raise click.BadParameter(f"{code!r} is not a finding's code{there}", param_hint=option)
    return code
