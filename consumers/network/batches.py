"""Hand the lines of a request to the gateway's loop and hear the result of each.

One sender's batches go to the loop one after the other, in the order in which they arrived whole: the facts of one
source are not reordered, and a source with many requests gets no more turns than others.
"""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from consumers.gateway.arrivals import Arrivals
from consumers.gateway.clients import Answer
from consumers.gateway.greeting import Greeting
from consumers.network.bodies import Lines, RequestRefusedError
from consumers.network.pairs import connected, heard

MOST_WAITING: Final = 8  # batches of one sender
RETRY_SECONDS: Final = "1"
_RESULT = b'{"line":'


class BatchResult(msgspec.Struct, frozen=True):
    """The results of the lines that were taken, and why the rest was not."""

    answers: list[Answer]
    closed: str = ""  # why not all lines were taken
    rule: str = ""


class _LoopMessage(msgspec.Struct):
    """A message of the loop that is no result: a count of lines taken, or the reason why no more are taken."""

    taken: int = 0
    closed: str = ""
    rule: str = ""


class _Sender(msgspec.Struct):
    """A sender with batches here."""

    turn: asyncio.Lock
    waiting: int = 0


class Batches:
    """The batches on their way to the loop."""

    def __init__(self, arrivals: Arrivals, most: int) -> None:
        self._arrivals = arrivals
        self._room = asyncio.Semaphore(most)  # batches in the loop at once
        self._senders: dict[str, _Sender] = {}

    async def take(self, lines: Lines, peer: str, secret: str) -> BatchResult:
        """Hand over the lines of a sender; when this returns, each that was taken is durable."""
        async with self._turn(secret or peer), self._room:
            greeting = msgspec.json.encode(Greeting(secret)) if secret else b""
            with connected(self._arrivals, peer, greeting, answers=True) as here:
                sends = asyncio.create_task(_send(here, lines.stored))
                try:
                    return await _results(here, lines.count)
                finally:
                    sends.cancel()
                    await asyncio.wait([sends])

    @contextlib.asynccontextmanager
    async def _turn(self, name: str) -> AsyncIterator[None]:
        """The time in which a sender's batch is the one in the loop."""
        sender = self._senders.setdefault(name, _Sender(asyncio.Lock()))
        if sender.waiting >= MOST_WAITING:
            says = f"{MOST_WAITING} batches of this sender wait already: send this one again after a second"
            raise RequestRefusedError(429, "too-many-batches", says, Retry_After=RETRY_SECONDS)
        sender.waiting += 1
        try:
            async with sender.turn:
                yield
        finally:
            sender.waiting -= 1
            if not sender.waiting:
                self._senders.pop(name, None)


async def _send(here: socket.socket, stored: bytes) -> None:
    with contextlib.suppress(OSError):  # the loop takes no more: its last line says why
        await asyncio.get_running_loop().sock_sendall(here, stored)
        here.shutdown(socket.SHUT_WR)


async def _results(here: socket.socket, count: int) -> BatchResult:
    """Hear the result of each line; empty lines have none."""
    answers: dict[int, Answer] = {}
    taken, rest = 0, b""
    while taken < count:
        if not (piece := await heard(here)):
            return BatchResult(list(answers.values()), "the gateway ends: send this batch again")
        *said, rest = (rest + piece).split(b"\n")
        for line in said:
            if line.startswith(_RESULT):  # a line that was cut has one for each piece
                answer = msgspec.json.decode(line, type=Answer)
                answers.setdefault(answer.line, answer)
                continue
            told = msgspec.json.decode(line, type=_LoopMessage)
            if told.closed:
                return BatchResult(list(answers.values()), told.closed, told.rule)
            taken = max(taken, told.taken)
    return BatchResult(list(answers.values()))
