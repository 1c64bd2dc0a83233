"""Times of a row, read strictly: which moment a cell means, also in the hour that clocks repeat in fall."""

import re
from datetime import UTC, datetime, timedelta, tzinfo

from consumers.mapping.reading import Times

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = {"seconds": 1_000_000, "milliseconds": 1_000, "microseconds": 1}
_MINUTE = timedelta(minutes=1)
_LONGEST = timedelta(minutes=30)  # between the times of one row, where its order in the file chooses the hour


class UnreadableValueError(ValueError):
    """A cell that is not what the mapping says; the message says what is expected."""


def whole(cell: str) -> int:
    """Return a whole number."""
    if not re.fullmatch(r"-?\d{1,18}", cell, re.ASCII):
        raise UnreadableValueError("a whole number, such as 12")
    return int(cell)


class RowTimes:
    """Reader of times.

    The mapping says which of two hours a repeated one is. By order, the first time that is read of a row is not before
    that of its table's previous row, and the other times of the row are near to it.
    """

    def __init__(self, times: Times, zone: tzinfo | None) -> None:
        self._pattern = times.format
        self._repeated = times.repeated_hour
        self._zone = zone
        self._table = ""
        self._row: datetime | None = None  # the first time of the current row
        self._chosen = False  # whether the order of the rows chose it
        self._before: dict[str, datetime] = {}  # the first time of each table's newest row

    @property
    def by_order(self) -> bool:
        """Whether the order of rows says which hour is meant."""
        return self._repeated == "by-order"

    def begin(self, table: str) -> None:
        """Begin a row of this table."""
        self._table, self._row, self._chosen = table, None, False

    def keep(self) -> None:
        """Keep the row's time for its table's next row: the row became facts."""
        if self._row is not None:
            self._before[self._table] = self._row

    def microseconds(self, cell: str) -> int:
        """Return microseconds since 1970, UTC."""
        if unit := _UNITS.get(self._pattern):
            return whole(cell) * unit
        moment = self._moment(cell)
        if self._row is None:
            self._row = moment
        elif self._chosen and abs(moment - self._row) > _LONGEST:
            raise UnreadableValueError("a time within half an hour of the row's first one, which is in a repeated hour")
        return (moment - _EPOCH) // timedelta(microseconds=1)

    def day(self, cell: str) -> str:
        """Return the date of a time, as its own zone has it."""
        if self._pattern in _UNITS:
            try:
                moment = _EPOCH + timedelta(microseconds=self.microseconds(cell))
                return moment.astimezone(self._zone or UTC).date().isoformat()
            except OverflowError as error:
                raise UnreadableValueError("a time before the year 9999") from error
        return self._written(cell).date().isoformat()

    def _written(self, cell: str) -> datetime:
        try:
            return datetime.fromisoformat(cell) if self._pattern == "iso" else datetime.strptime(cell, self._pattern)  # noqa: DTZ007 - the zone follows
        except ValueError as error:
            wanted = "2026-11-18T21:10:05" if self._pattern == "iso" else self._pattern
            raise UnreadableValueError(f"a time in the form {wanted}") from error

    def _moment(self, cell: str) -> datetime:
        written = self._written(cell)
        if written.tzinfo is not None:
            return written.astimezone(UTC)
        if self._zone is None:
            raise UnreadableValueError("a time with its zone; or name the zone in times.zone")
        try:
            first, second = (written.replace(tzinfo=self._zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        except OverflowError as error:
            raise UnreadableValueError("a time before the year 9999") from error
        if first > second:
            raise UnreadableValueError(f"a time that {self._zone} has; its clocks skip this hour")
        if first == second or self._repeated == "first":
            return first
        if self._repeated == "second":
            return second
        if self._repeated == "by-order":
            return self._in_order(first, second)
        cure = "send times with their offset, or set repeated_hour in [times] to first, second or by-order"
        raise UnreadableValueError(f"a time that is one moment; {self._said(first, second)}: {cure}")

    def _in_order(self, first: datetime, second: datetime) -> datetime:
        """Return the one of two moments that the order of the rows allows."""
        if (begun := self._row) is not None:
            return min(first, second, key=lambda moment: abs(moment - begun))
        before = self._before.get(self._table, first)
        if before > second:
            last = before.astimezone(self._zone).replace(tzinfo=None).isoformat(sep=" ")
            says = f"a time that is not before that of the previous row, {last}; {self._said(first, second)}"
            raise UnreadableValueError(f"{says}: sort each table's rows by time")
        self._chosen = True
        return first if before <= first else second

    def _said(self, first: datetime, second: datetime) -> str:
        """Say which hour of which day is repeated."""
        back = first  # the moment at which the clocks go back, to the minute
        while back.astimezone(self._zone).utcoffset() == first.astimezone(self._zone).utcoffset():
            back += _MINUTE
        back = back.replace(second=0, microsecond=0)
        begins = back.astimezone(self._zone)
        ends = begins.replace(tzinfo=None) + (second - first)
        return f"the clocks of {self._zone} repeat {begins:%H:%M} to {ends:%H:%M} on {begins:%Y-%m-%d}"
