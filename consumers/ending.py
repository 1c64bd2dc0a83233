"""A command that follows something ends by Ctrl-C or SIGTERM, when what it has taken is durable."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event
from types import FrameType


@contextmanager
def until_ended() -> Iterator[Event]:
    """An event that Ctrl-C and SIGTERM set; what was taken is durable by then."""
    stop = Event()

    def end(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
