"""The line that a refused one should have been, where the refusal says what to write instead."""

import re
from typing import Any

import msgspec

from domain.facts.refused import Refused

_STEP = re.compile(r"[^.\[\]]+")


def mended(line: bytes, refused: Refused) -> str:
    """Return the line with its refused field replaced, or an empty string if the refusal names no value for it."""
    if not refused.field or not (refused.cure or refused.code == "field-unknown"):
        return ""
    try:
        said = msgspec.json.decode(line)
        *path, last = _STEP.findall(refused.field)
        there = said
        for step in path:
            there = _at(there, step)
        if refused.code == "field-unknown":
            value = there.pop(last)
            if refused.cure:  # else nothing is near: the field goes
                there[refused.cure] = value
        else:
            there[int(last) if isinstance(there, list) else last] = msgspec.json.decode(refused.cure)
    except (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, ValueError, AttributeError):
        return ""
    return msgspec.json.encode(said).decode()


def _at(there: Any, step: str) -> Any:
    return there[int(step)] if isinstance(there, list) else there[step]
