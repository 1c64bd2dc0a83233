"""One option set on top of the others, as a house changed it or a what-if question assumes."""

from typing import Any


def lay(options: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    """Set one option in place; a path of several parts turns its group on."""
    *groups, name = path
    held = options
    for group in groups:
        if not isinstance(held.get(group), dict):
            held[group] = {}
        held = held[group]
    held[name] = value
