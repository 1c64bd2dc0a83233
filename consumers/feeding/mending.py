"""The line that a refused one should have been, where the refusals say what to write instead."""

import re
from typing import Any

import msgspec

from consumers.gateway.reading_lines import read_line
from consumers.zones import zones_but
from domain.facts.refused import Refused
from domain.ledger.plausible import implausible

_MOST_FIELDS = 100  # that one line has replaced
_STEP = re.compile(r"[^.\[\]]+")


def mended(line: bytes, refused: Refused) -> str:
    """Return the line with every refused field replaced, or an empty string if no line that is taken can be made."""
    wrong: Refused | None = refused
    for _ in range(_MOST_FIELDS):
        if wrong is None:
            return line.decode()
        if not (line := _replaced(line, wrong)):
            return ""
        wrong = _refused(line)
    return ""


def _refused(line: bytes) -> Refused | None:
    """Return why a line is still refused, as far as the line alone shows it."""
    fact = read_line(line)
    return fact if isinstance(fact, Refused) else implausible(fact, None, zones_but=zones_but)


def _replaced(line: bytes, refused: Refused) -> bytes:
    """Return the line with one refused field replaced, or nothing if the refusal names no value for it."""
    if not refused.field or not (refused.cure or refused.code == "field-unknown"):
        return b""
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
        return b""
    return msgspec.json.encode(said)


def _at(there: Any, step: str) -> Any:
    return there[int(step)] if isinstance(there, list) else there[step]
