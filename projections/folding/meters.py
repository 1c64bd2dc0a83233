"""Progressive meters over a day: their readings, increments and resets."""

import msgspec

from domain.facts.envelope import Fact
from domain.facts.table_day import TableOpened
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset
from domain.table.day import TableDay
from projections.changes import Row


class Meter(msgspec.Struct, gc=False):
    """One meter's day."""

    opened: int | None = None
    risen: int = 0
    awards: int = 0


class Meters(msgspec.Struct, gc=False):
    """Every meter so far."""

    meters: dict[str, Meter] = {}

    def take(self, day: TableDay, fact: Fact) -> None:
        """Take a fact about a meter before the day takes it."""
        match fact:
            case TableOpened():
                for name, cents in fact.meters_cents.items():
                    self._of(str(name)).opened = cents
            case MeterIncremented():
                self._of(fact.meter).risen += fact.by_cents
            case MeterRead() | MeterReset():
                meter, stood = self._of(fact.meter), day.meters.get(fact.meter)
                if meter.opened is None:
                    meter.opened = fact.cents
                # A partial payout shows as a lower reading of the meter.
                meter.awards += isinstance(fact, MeterReset) or (stood is not None and fact.cents < stood)

    def _of(self, name: str) -> Meter:
        held = self.meters.get(name)
        if held is None:
            held = self.meters[name] = Meter()
        return held

    def rows(self, day: TableDay, start: Row) -> list[Row]:
        """Return a row per meter."""
        return [
            (*start, name, meter.opened, day.meters.get(name), meter.risen, meter.awards)
            for name, meter in sorted(self.meters.items())
        ]


KINDS: tuple[type[Fact], ...] = (TableOpened, MeterIncremented, MeterRead, MeterReset)
