"""Clocks that were off: a source's, as its facts told it, and the gateway's own, as a steady counter tells it."""

from collections.abc import Callable

from consumers.gateway.unsaid import Unsaid
from domain.facts.sources import ClockCorrected
from domain.ledger.admission import GATEWAY

Clock = Callable[[], int]
LEAP = 2_000_000  # microseconds by which the gateway's clock may part from the counter before that goes on record


class Clocks:
    """What is to go on record about clocks. `ticks` counts microseconds and is never set."""

    def __init__(self, clock: Clock, ticks: Clock | None, unsaid: Unsaid) -> None:
        self._clock = clock
        self._ticks = ticks
        self._unsaid = unsaid
        self._apart = clock() - ticks() if ticks else 0
        self._off = {row.clock for row in unsaid.clocks()}
        self._right = self._off & {GATEWAY}  # those of which nothing is waited for

    def off(self, source: str) -> None:
        """A fact of this source was turned away for its time; how far it was off is counted with its letter."""
        self._off.add(source)

    def agrees(self, source: str) -> None:
        """A fact of this source got its place."""
        if source in self._off:
            self._right.add(source)

    def look(self) -> None:
        """Sees whether somebody set the gateway's own clock."""
        if self._ticks is None:
            return
        apart = self._clock() - self._ticks()
        if abs(apart - self._apart) > LEAP:
            self._unsaid.set(GATEWAY, self._apart - apart)
            self._apart = apart
            self._right.add(GATEWAY)

    def due(self, now: int) -> list[tuple[ClockCorrected, str]]:
        """What is to go on record now, without its place, each with its token."""
        right, self._right = self._right, set()
        self._off -= right
        return [
            (ClockCorrected(row.clock, row.off_by, row.count, at=now, source="", source_key=""), row.token)
            for row in (self._unsaid.clocks() if right else [])
            if row.clock in right
        ]
