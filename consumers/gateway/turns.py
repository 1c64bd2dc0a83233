"""Choose the lines to take next: turns are short, and all clients get equal shares, whatever the others send."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

# With several clients, a turn takes little longer than a single line, because most of it is the wait for the disk. A
# client that sends a line now and then waits for half a turn of the others, and for its own.
LINES = 32
BYTES = 1 << 14  # a longer line has a turn to itself
# One client alone fills a batch.
LINES_ALONE = 2000
BYTES_ALONE = 1 << 20
REST = 4  # pause after a long line, as a multiple of its time: beside other clients, long lines get a fifth of the time


class WaitingClient(Protocol):
    """A client with something to take."""

    served: int  # the last turn that took a line from it

    @property
    def waiting(self) -> int:
        """The length of its next line or piece, or 0."""


One = TypeVar("One", bound=WaitingClient)


def share(clients: Sequence[One], turn: int, take: Callable[[One], object], *, long: bool = True) -> list[One]:
    """Take one turn's lines from the waiting clients, and return the clients it took from.

    If the last turn skipped clients, this turn serves only them, those that were served longest ago first. So as long
    as no more clients wait than a turn has lines, each gets at least every second turn. A line too long for a turn
    waits until its client comes first and `long` lines are taken.
    """
    alone = len(clients) == 1
    lines_left, bytes_left = (LINES_ALONE, BYTES_ALONE) if alone else (LINES, BYTES)
    waiting = [each for each in clients if each.waiting and (long or each.waiting <= bytes_left)]
    waiting.sort(key=lambda each: each.served)
    chosen = [each for each in waiting if each.served < turn - 1] or waiting
    each_has = max(1, lines_left // len(chosen)) if chosen else 0
    served: list[One] = []
    for each in chosen:
        took = 0
        while lines_left and took < each_has and (length := each.waiting) and (length <= bytes_left or not served):
            if not took:
                served.append(each)
            bytes_left -= length
            lines_left -= 1
            took += 1
            take(each)
    for each in served:
        each.served = turn
    return served
