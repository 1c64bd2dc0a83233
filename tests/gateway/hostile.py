"""Hostile clients of the gateway's socket, written with plain sockets and nothing of the project.

`python hostile.py SOCKET ATTACK...` attacks until it is killed, and connects again whenever it is disconnected; without
an attack's name it does all of them at once.
"""

import itertools
import random
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

MEGABYTE = 999_990
_SECONDS = 60

_FACT = '{"type":"wager-placed.1","seat":%s,"wager":"ante","cents":%s,"at":%d,"source":"%s","source_key":"%s","stream":"H1"}'
_EVENT = (
    '{"specversion":"1.0","type":"catwalk.wager-placed.1","source":"hostile","id":"1","subject":"H1",'
    '"time":"2026-11-18T21:10:05Z","data":%s}'
)
_AT = 1_795_000_000_000_000


def fact(key: str, *, seat: str = "1", cents: str = "1000", source: str = "hostile") -> bytes:
    """A wager as a device tells it, or nearly so."""
    return (_FACT % (seat, cents, _AT, source, key)).encode()


# One line of each kind, without its end.
NESTED = b"[" * MEGABYTE
UNCLOSED = b"[" * 101 + b'\\"' * 400_000  # 800 KB: each of the texts that it begins has no end
EVENT_BOMB = (_EVENT % ('{"a":[' + "[]," * 300_000 + "1]}")).encode()
EVENT_OF_NAMES = (_EVENT % ("{" + ",".join(f'"{number}":{{}}' for number in range(80_000)) + "}")).encode()
LONG_NUMBER = fact("long", cents="9" * 900_000)
EXPONENT = fact("exponent", cents="1e999999999")
FINE_FRACTION = fact("fraction", cents="0." + "1" * 900_000)


def garbage(count: int, seed: int = 15) -> Iterator[bytes]:
    """Lines of bytes that are no text: NULs, halves of UTF-8, whatever comes."""
    chance = random.Random(seed)  # noqa: S311 - the same garbage every time
    for _ in range(count):
        yield chance.randbytes(chance.randrange(1, 200)).replace(b"\n", b"\0")


def _for_ever(*lines: bytes) -> Iterator[bytes]:
    return (line + b"\n" for line in itertools.cycle(lines))


def _numbered(make: Callable[[int], bytes]) -> Iterator[bytes]:
    """Lines by the hundred, so that the attacker is no slower than the gateway."""
    for start in itertools.count(0, 100):
        yield b"".join(make(number) + b"\n" for number in range(start, start + 100))


def _slowly(begun: bytes) -> Iterator[bytes]:
    yield begun
    while True:
        time.sleep(0.1)
        yield b"x"


def _garbage_for_ever() -> Iterator[bytes]:
    for seed in itertools.count():
        yield b"\n".join(garbage(100, seed)) + b"\n"


def _numbered_megabytes() -> Iterator[bytes]:
    for number in itertools.count():
        yield b"%d" % number + b"x" * MEGABYTE + b"\n"


def _slow_lines() -> Iterator[bytes]:
    for number in itertools.count():
        yield b"x%d\n" % number
        time.sleep(0.0005)


# attack | what it sends over one connection, without end; nobody listens to the answers
STREAMS: dict[str, Callable[[], Iterator[bytes]]] = {
    "deep nesting": lambda: _for_ever(NESTED),
    "texts without an end": lambda: _for_ever(UNCLOSED),
    "a line without an end": lambda: itertools.repeat(b"x" * 65_536),
    "lines of a megabyte": _numbered_megabytes,
    "half lines, a byte at a time": lambda: _slowly(b'{"type":'),
    "lines and no ear for the answers": _slow_lines,
    "empty lines": lambda: itertools.repeat(b"\n" * 65_536),
    "bytes that are no text": _garbage_for_ever,
    "numbers without measure": lambda: _for_ever(LONG_NUMBER, EXPONENT, FINE_FRACTION),
    "one key for everything": lambda: _numbered(lambda number: fact("same", cents=str(number + 1))),
    "one fact again and again": lambda: _numbered(lambda _: fact("same")),
    "events that swell": lambda: _for_ever(EVENT_BOMB, EVENT_OF_NAMES),
    "junk as fast as it goes": lambda: _numbered(lambda number: b"x%d" % number),
    "facts as fast as they go": lambda: _numbered(lambda number: fact(f"{time.time_ns()}:{number}")),
}


def connected(path: str) -> socket.socket:
    """One connection; it gives up after a minute."""
    one = socket.socket(socket.AF_UNIX)
    one.settimeout(_SECONDS)
    one.connect(path)
    return one


def _stream(path: str, sends: Iterator[bytes]) -> None:
    with connected(path) as one:
        for piece in sends:
            one.sendall(piece)


def _many(path: str) -> None:
    """Open as many connections as there are, and hold them for a while."""
    held: list[socket.socket] = []
    try:
        held.extend(connected(path) for _ in range(300))
        time.sleep(1)
    finally:
        for one in held:
            one.close()


def _come_and_go(path: str) -> None:
    for _ in range(1000):
        connected(path).close()


def _hang_up(path: str) -> None:
    for number in itertools.count():
        with connected(path) as one:
            one.sendall(b'%d {"type":"wager-pl' % number)


# attack | what it does at the socket, until it is disconnected or done
ACTS: dict[str, Callable[[str], None]] = {
    "connections beyond the limit": _many,
    "coming and going": _come_and_go,
    "half a line, then gone": _hang_up,
}
ATTACKS = (*STREAMS, *ACTS)


def attack(path: str, name: str) -> None:
    """Attacks until the process is killed."""
    while True:
        with suppress(OSError):
            if name in ACTS:
                ACTS[name](path)
            else:
                _stream(path, STREAMS[name]())
        time.sleep(0.01)


if __name__ == "__main__":
    for named in sys.argv[2:] or ATTACKS:
        threading.Thread(target=attack, args=(sys.argv[1], named)).start()
