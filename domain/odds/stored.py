"""The stored distributions: counts of deals, computed once by `domain.odds.make` and kept as JSON."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec


@cache
def stored(name: str) -> dict[str, Any]:
    """Return one stored distribution by name: the counts, the program that made them, and the number of deals."""
    found: dict[str, Any] = msgspec.json.decode((files(__package__) / "data" / f"{name}.json").read_bytes())
    return found


def counts(name: str) -> dict[str, int]:
    """Return the counts of a distribution whose rows are all on one level."""
    found: dict[str, int] = stored(name)["counts"]
    return found
