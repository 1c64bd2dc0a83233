"""Clocks that were off: a source's, as its facts told it, and the gateway's own, as a steady counter tells it."""

from collections.abc import Callable

from domain.facts.sources import ClockCorrected
from domain.ledger.admission import GATEWAY

Clock = Callable[[], int]
LEAP = 2_000_000  # microseconds by which the gateway's clock may part from the counter before that goes on record


class Clocks:
    """What is to go on record about clocks. `ticks` counts microseconds and is never set."""

    def __init__(self, clock: Clock, ticks: Clock | None) -> None:
        self._clock = clock
        self._ticks = ticks
        self._apart = clock() - ticks() if ticks else 0
        self._off: dict[str, tuple[int, int]] = {}  # of a source: how far it was off last, how often
        self._corrected: list[ClockCorrected] = []

    def off(self, source: str, by: int) -> None:
        """A fact of this source was turned away for its time."""
        self._off[source] = by, self._off.get(source, (0, 0))[1] + 1

    def agrees(self, source: str) -> None:
        """A fact of this source got its place."""
        if self._off and (told := self._off.pop(source, None)) is not None:
            self._corrected.append(_corrected(source, told[0], self._clock(), told[1]))

    def due(self) -> list[ClockCorrected]:
        """What is to go on record now, without its place."""
        if self._ticks is not None:
            now = self._clock()
            apart = now - self._ticks()
            if abs(apart - self._apart) > LEAP:
                self._corrected.append(_corrected(GATEWAY, self._apart - apart, now, 0))
                self._apart = apart
        found, self._corrected = self._corrected, []
        return found


def _corrected(clock: str, off_by: int, at: int, count: int) -> ClockCorrected:
    return ClockCorrected(clock, off_by, count, at=at, source="", source_key="")
