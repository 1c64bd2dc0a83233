"""Options as they are typed: `trips_table=B`, `progressive.table=C`, `posted_odds.trips.flush=8 to 1`."""

import json
from typing import Any

import click


def read_option(setting: str, where: str) -> tuple[tuple[str, ...], Any]:
    """The path and the value of one `key=value`: JSON where it is JSON, text otherwise."""
    key, equals, text = setting.partition("=")
    path = tuple(key.split("."))
    if not equals or not all(path):
        raise click.BadParameter(f"{setting!r} is no option. Write KEY=VALUE, as trips_table=B.", param_hint=where)
    try:
        return path, json.loads(text)
    except json.JSONDecodeError:
        return path, text
