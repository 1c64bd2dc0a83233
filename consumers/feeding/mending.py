"""The line that a refused one should have been, where the refusals say what to write instead."""

import re
from typing import Any

import msgspec

from consumers.gateway.reading_lines import read_line
from consumers.zones import zones_but
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused
from domain.facts.table_day import TableOpened
from domain.ledger.plausible import admitted, implausible
from domain.ledger.writer import Writer

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
    if isinstance(fact, Refused):
        return fact
    if isinstance(fact, TableOpened | PropertyOpened):
        whole = admitted(Writer(epoch=1), fact, zones_but=zones_but)
        return whole if isinstance(whole, Refused) else None
    return implausible(fact, None, zones_but=zones_but)


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
                there[msgspec.json.decode(refused.cure, type=str)] = value
        else:
            there[int(last) if isinstance(there, list) else last] = msgspec.json.decode(refused.cure)
    except (msgspec.DecodeError, UnicodeDecodeError, LookupError, TypeError, ValueError, AttributeError):
        return b""
    return msgspec.json.encode(said)


def _at(there: Any, step: str) -> Any:
    return there[int(step)] if isinstance(there, list) else there[step]
