"""Changes of JSON lines that keep them JSON: a field left out, doubled, renamed or of another type."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

# Values at and beyond the edges of what a field holds.
EDGES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2.0, 1.5, -0.0, 12, 13, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, 1e308,
    253_402_300_799_999_999, 253_402_300_800_000_000, "", " ", "a", "x" * 128, "x" * 129, "d" * 64, "\0", "\n", "\ud800",
    "\u202e", "é", "T7", "T7/2026-11-18", "T8/2026-11-19", "property", "property/2026-11-18", "T7/2026-02-30", "T7/",
    "/", "../x", "gateway", "2026-11-18", "Ah", "??", "1h", [], {}, [[]], ["Ah"], {"": 0}, "2026-11-18T21:10:05.000001Z",
    "9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00Z", "2026-W47-3", "1.0", "12", "-1", "١٢",
)  # fmt: skip
# Texts that some readers of JSON take for a value and others do not.
LOOSE = (
    "NaN", "Infinity", "-Infinity", "1e400", "-0", "0.0", "1E2", "01", "+1", "0x10", "'a'", '"\\u0000"', '"\\ud83d"',
    '"\\ud83d\\ude00"', "tru", '"\x01"', "1_000", "[" * 60 + "]" * 60, '{"a":' * 60 + "1" + "}" * 60, "18446744073709551616",
)  # fmt: skip
MARK = "\ue000loose\ue000"
Samples = Callable[[], Sequence[Any]]


def json_lines(samples: Samples, most_lines: int = 1) -> Callable[[bytes, random.Random], bytes]:
    """A mutator of lines of JSON; `samples` are whole values it may put in."""

    def mutate(data: bytes, chance: random.Random) -> bytes:
        lines = data.split(b"\n")
        at = chance.randrange(len(lines))
        how = chance.random()
        if most_lines > 1 and how < 0.25:
            lines[at:at] = [lines[chance.randrange(len(lines))]] if how < 0.1 else [_dumped(chance.choice(samples()))]
            if how > 0.2:
                chance.shuffle(lines)
            return b"\n".join(lines[:most_lines])
        if how > 0.92:
            lines[at] = _dumped(chance.choice(samples()))
        try:
            value = json.loads(lines[at])
        except (ValueError, RecursionError):
            value = chance.choice(samples())
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            value = _changed(value, chance, samples)
        lines[at] = _written(value, chance)
        return b"\n".join(lines)

    return mutate


def _dumped(value: Any) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changed(value: Any, chance: random.Random, samples: Samples) -> Any:
    """The value with one place in it changed."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        return _changed_object(dict(value), chance, samples)
    if isinstance(value, list) and value and chance.random() < 0.9:
        at, held = chance.randrange(len(value)), list(value)
        how = chance.randrange(5)
        if how == 0:
            del held[at]
        elif how == 1:
            held.insert(at, held[at])
        elif how == 2:
            held *= 2
        else:
            held[at] = _changed(held[at], chance, samples)
        return held
    if isinstance(value, int) and not isinstance(value, bool) and chance.random() < 0.5:
        return value + chance.choice((-1, 1, 7, 100, 10_000_000, -value, -2 * value))
    if isinstance(value, str) and value and chance.random() < 0.3:
        at = chance.randrange(len(value))
        return value[:at] + chance.choice(("", "/", "\0", "é", "9", value)) + value[at + 1 :]
    return MARK if chance.random() < 0.15 else chance.choice(EDGES)


def _changed_object(value: dict[str, Any], chance: random.Random, samples: Samples) -> dict[str, Any]:
    name = chance.choice(list(value))
    how = chance.randrange(10)
    if how == 0:
        del value[name]
    elif how == 1:
        value[chance.choice((name.upper(), name + " ", "x", "type", "at", "data", "id", "stream"))] = value[name]
    elif how == 2:
        other = chance.choice(samples())
        if isinstance(other, dict) and other:
            taken = chance.choice(list(other))
            value[taken] = other[taken]
    elif how == 3:
        other = chance.choice(list(value))
        value[name], value[other] = value[other], value[name]
    elif how == 4 and "type" in value:
        value["type"] = chance.choice(samples()).get("type", "")
    else:
        value[name] = _changed(value[name], chance, samples)
    return value


def _written(value: Any, chance: random.Random) -> bytes:
    """Encode as JSON, now and then in an invalid form, or with a field twice."""
    escaped = chance.random() < 0.1
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=escaped)
    while f'"{MARK}"' in text:
        text = text.replace(f'"{MARK}"', chance.choice(LOOSE), 1)
    how = chance.random()
    if how < 0.06 and text.startswith("{") and isinstance(value, dict) and value:
        name = chance.choice(list(value))
        again = f"{json.dumps(name)}:{json.dumps(chance.choice(EDGES))}"
        text = f"{{{again},{text[1:]}" if how < 0.03 else f"{text[:-1]},{again}}}"
    elif how < 0.1:
        text = chance.choice((" ", "\t", "\ufeff", "\r", "\x0b")) + text
    elif how < 0.13:
        text += chance.choice((" ", "\r", ",", "}", "\0", text))
    return text.encode("utf-8", "surrogatepass" if chance.random() < 0.5 else "replace").replace(b"\n", b" ")
