"""Orderly end of a running command by Ctrl-C or SIGTERM, once its work so far is durable."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


@contextmanager
def until_ended() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set; the work so far is durable when the command ends."""
    stop = Event()

    def end(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
