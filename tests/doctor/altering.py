"""Possible damage to the rows of a log: to the bytes of a fact, to its index columns, to the row itself."""

import random
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from consumers.logs.sqlite import LogRow

PREVIOUS = re.compile(rb'"previous":"[0-9a-f]{64}"')


def _put(old: bytes, new: bytes) -> Callable[[bytes, random.Random], bytes]:
    return lambda stored, _: stored.replace(old, new, 1)


def _any_byte(stored: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(stored))
    return stored[:at] + bytes([chance.randrange(256)]) + stored[at + 1 :]


def _gone(stored: bytes, chance: random.Random) -> bytes:
    fields = msgspec.json.decode(stored)
    fields.pop(chance.choice(list(fields)))
    return msgspec.json.encode(fields)


def _moved(stored: bytes, chance: random.Random) -> bytes:
    fields = list(msgspec.json.decode(stored).items())
    chance.shuffle(fields)
    return msgspec.json.encode(dict(fields))


def _number(stored: bytes, chance: random.Random) -> bytes:
    numbers = list(re.finditer(rb":(\d+)", stored))
    here = chance.choice(numbers)
    said = here[1]
    others = [said + b".0", b"0" + said, b"-" + said, said + b"e0", b"9" * 18, b"9" * 19, b"9" * 40, b"-0", b"0", b"13"]
    return stored[: here.start(1)] + chance.choice(others) + stored[here.end(1) :]


def _word(stored: bytes, chance: random.Random) -> bytes:
    here = chance.choice(list(re.finditer(rb':"([^"]*)"', stored)))
    others = [
        b"",
        b"x",
        b"x" * 129,
        b"x" * 5000,
        "é".encode(),
        b"\\u0041",
        b"\\n",
        b"\xff",
        b"\x7f",
        b"\x1f",
        b"a\nb",
        b"\\",
    ]
    return stored[: here.start(1)] + chance.choice(others) + stored[here.end(1) :]


BYTES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "space": _put(b',"', b', "'),
    "line end": _put(b',"', b',\n"'),
    "escaped name": _put(b'"stream"', b'"str\\u0065am"'),
    "escaped word": _put(b'"source":"', b'"source":"\\u0054'),
    "said twice": _put(b'"source":', b'"source":"a","source":'),
    "stream twice": _put(b'"stream":', b'"stream":"T9/2026-11-18","stream":'),
    "null": _put(b'"round":', b'"camera":null,"round":'),
    "usual value": _put(b'"at":', b'"face_up":false,"at":'),
    "empty word": _put(b'"at":', b'"player":"","at":'),
    "unknown name": _put(b'"at":', b'"colour":"red","at":'),
    "behind its end": lambda stored, _: stored + b" ",
    "two facts": lambda stored, _: stored + stored,
    "cut": lambda stored, chance: stored[: chance.randrange(len(stored))],
    "long": _put(b'"source_key":"', b'"source_key":"' + b"k" * 100_000),
    "another stream": lambda stored, _: re.sub(rb'"stream":"T', b'"stream":"U', stored),
    "signed": lambda stored, _: stored[:-1] + b',"source_signature":"' + b"00" * 64 + b'"}',
    "wrong previous": lambda stored, _: PREVIOUS.sub(b'"previous":"' + b"0" * 64 + b'"', stored),
    "loud previous": lambda stored, _: PREVIOUS.sub(
        lambda found: found[0].upper().replace(b"PREVIOUS", b"previous"), stored
    ),
    "no object": lambda stored, _: b"[" + stored + b"]",
    "a seat": lambda stored, chance: re.sub(rb'"seat":\d+', b'"seat":%d' % chance.choice([0, 1, 12, 13]), stored),
    "a card": lambda stored, chance: re.sub(rb'"card":"..', b'"card":"' + chance.choice([b"??", b"Zz", b"2c"]), stored),
    "any byte": _any_byte,
    "a field gone": _gone,
    "fields moved": _moved,
    "another number": _number,
    "another word": _word,
}
# What may happen to a row.
ROWS: dict[str, Callable[[list[LogRow], int], list[LogRow]]] = {
    "gone": lambda rows, at: rows[:at] + rows[at + 1 :],
    "found later": lambda rows, at: changed(rows, at, sequence=rows[at].sequence + 90_000),
    "found elsewhere": lambda rows, at: changed(rows, at, stream=f"U{rows[at].stream}"),
    "another type": lambda rows, at: changed(rows, at, type="bets-closed.1"),
    "a type with a line end": lambda rows, at: changed(rows, at, type="bets\nclosed.1"),
    "no bytes": lambda rows, at: changed(rows, at, stored=b""),
    "again": lambda rows, at: [*rows, rows[at]._replace(position=rows[-1].position + 1, sequence=99_999)],
    "exchanged": lambda rows, at: changed(
        changed(rows, at, stored=rows[at + 1].stored), at + 1, stored=rows[at].stored
    ),
    "moved away": lambda rows, at: [*rows[:at], *rows[at + 1 :], rows[at]._replace(position=rows[-1].position + 7)],
}


def changed(rows: list[LogRow], at: int, **values: Any) -> list[LogRow]:
    """The rows with one of them changed."""
    return [*rows[:at], rows[at]._replace(**values), *rows[at + 1 :]]


def chained_again(rows: list[LogRow], at: int) -> list[LogRow]:
    """The same, with every later fact of the stream naming the bytes before it: no hash tells that something changed."""
    stream = rows[at].stream
    found, head = rows[: at + 1], sha256(rows[at].stored).hexdigest().encode()
    for row in rows[at + 1 :]:
        if row.stream == stream and row.stored:
            row = row._replace(stored=PREVIOUS.sub(b'"previous":"%b"' % head, row.stored))  # noqa: PLW2901
            head = sha256(row.stored).hexdigest().encode()
        found.append(row)
    return found


def altered(rows: list[LogRow], chance: random.Random) -> tuple[list[LogRow], str]:
    """The rows with something done to some of them, and what."""
    done = []
    for _ in range(chance.choice([1, 1, 2, 4])):
        at = chance.randrange(1, len(rows) - 1)
        name = chance.choice([*BYTES, *ROWS])
        if name in ROWS:
            rows = ROWS[name](rows, at)
        else:
            rows = changed(rows, at, stored=BYTES[name](rows[at].stored, chance))
            if chance.random() < 0.6:
                name, rows = f"{name}, chained again", chained_again(rows, at)
        done.append(f"{name} at {at}")
    return rows, ", ".join(done)
