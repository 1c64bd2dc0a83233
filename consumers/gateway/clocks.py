"""Clock errors: a source's, seen in its facts, and the gateway's own, seen against a steady counter."""

from collections.abc import Callable

from consumers.gateway.unsaid import Unsaid
from domain.facts.sources import ClockCorrected
from domain.ledger.admission import GATEWAY

Clock = Callable[[], int]
LEAP = 2_000_000  # microseconds; a larger jump of the gateway's clock against the counter is recorded


class ClockRecord:
    """The clock errors to record. `ticks` counts microseconds and is never set."""

    def __init__(self, clock: Clock, ticks: Clock | None, unsaid: Unsaid) -> None:
        self._clock = clock
        self._ticks = ticks
        self._unsaid = unsaid
        self._apart = clock() - ticks() if ticks else 0
        self._off = {row.clock for row in unsaid.clocks()}
        self._right = self._off & {GATEWAY}  # sources whose clocks agree again

    def off(self, source: str) -> None:
        """Note that a fact of this source was refused for its time; its letter counts how far the clock was off."""
        self._off.add(source)

    def agrees(self, source: str) -> None:
        """Note that a fact of this source was accepted."""
        if source in self._off:
            self._right.add(source)

    def look(self) -> None:
        """Check whether the gateway's own clock was set."""
        if self._ticks is None:
            return
        apart = self._clock() - self._ticks()
        if abs(apart - self._apart) > LEAP:
            self._unsaid.set(GATEWAY, self._apart - apart)
            self._apart = apart
            self._right.add(GATEWAY)

    def due(self, now: int) -> list[tuple[ClockCorrected, str]]:
        """The facts to record now, without their places, each with its token."""
        right, self._right = self._right, set()
        self._off -= right
        return [
            (ClockCorrected(row.clock, row.off_by, row.count, at=now, source="", source_key=""), row.token)
            for row in (self._unsaid.clocks() if right else [])
            if row.clock in right
        ]
