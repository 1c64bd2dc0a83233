"""One option laid over the others, as a house chose them or as somebody supposes it had."""

from typing import Any


def lay(options: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Lays one option over these; a path of several parts turns its group on."""
    *groups, name = path
    held = options
    for group in groups:
        if not isinstance(held.get(group), dict):
            held[group] = {}
        held = held[group]
    held[name] = value
