"""House options as a test table writes them: `decks=2 progressive.table=B`, values as JSON or bare words."""

from typing import Any

import msgspec


def chosen(text: str) -> dict[str, Any]:
    """The configuration a cell describes; a dot in a name is an option inside a group."""
    config: dict[str, Any] = {}
    for part in text.split():
        name, _, written = part.partition("=")
        group, _, option = name.rpartition(".")
        held = config.setdefault(group, {}) if group else config
        held[option] = value_of(written)
    return config


def value_of(written: str) -> Any:
    """A value as JSON, or as the bare word it is."""
    try:
        return msgspec.json.decode(written)
    except msgspec.DecodeError:
        return written
