"""The written scale of what needs a human. A property sets its own in a file; `scale.toml` is the default."""

import tomllib
from importlib.resources import files
from typing import Any, Final

import msgspec

from domain.clauses import SEVERITIES
from domain.clauses import findings as vocabulary


class BadScaleError(ValueError):
    """A scale that cannot be used; the message says which line and what is allowed."""


class HumanScale(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The scale of a property: codes, severities, and the least amounts and rounds that need a human."""

    never: tuple[str, ...] = ()
    always: tuple[str, ...] = ()
    error_cents: int
    exposure_cents: int
    severities: tuple[str, ...] = ()
    rounds: int


def load(text: str, where: str = "the scale") -> HumanScale:
    """Return the scale in a file's text; a code, severity or key that does not exist is an error."""
    try:
        told: dict[str, Any] = tomllib.loads(text)
        scale = msgspec.convert(told.get("scale", {}), HumanScale)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadScaleError(f"{where}: {error}") from error
    if set(told) != {"scale"}:
        raise BadScaleError(f"{where}: it needs one table, [scale], and nothing beside it")
    for code in (*scale.never, *scale.always):
        if code not in vocabulary():
            raise BadScaleError(f"{where}: {code} is no code of a finding; see docs/findings")
    for severity in scale.severities:
        if severity not in SEVERITIES:
            raise BadScaleError(f"{where}: {severity} is no severity; use {', '.join(SEVERITIES)}")
    for name in ("error_cents", "exposure_cents", "rounds"):
        if getattr(scale, name) < 1:
            raise BadScaleError(f"{where}: {name} must be 1 or more")
    return scale


TEXT: Final = files("domain.incidents").joinpath("scale.toml").read_text(encoding="utf-8")
DEFAULT: Final = load(TEXT, "domain/incidents/scale.toml")
