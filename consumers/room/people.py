"""Dealers and players in the room; the access log records each look by name."""

from datetime import date

import msgspec

from consumers.room.looking import Looking, RoomVisit, ShownAnswer
from projections.questions.dealers import DealerRecord, ErrorKind, dealer_record, share_between
from projections.questions.people import DealerLine, PlayerLine, dealers_of, players_of
from projections.questions.players import Evening, evening


class FindingRate(msgspec.Struct, frozen=True):
    """The count of one kind of finding, and the 95 % interval of its share of the hands."""

    error: ErrorKind
    low: float | None
    high: float | None


class Direction(msgspec.Struct, frozen=True):
    """Wagers settled wrongly in one direction: their number, their amount, and their share of the checked wagers."""

    name: str
    wagers: int
    cents: int
    share: float | None
    low: float | None
    high: float | None


class DealerTold(msgspec.Struct, frozen=True):
    """A dealer's record with its intervals."""

    record: DealerRecord
    directions: tuple[Direction, ...]
    kinds: tuple[FindingRate, ...]


class PeopleRoom(Looking):
    """Questions about people."""

    def dealers(
        self, visit: RoomVisit, first: date | None = None, last: date | None = None
    ) -> ShownAnswer[list[DealerLine]]:
        """All dealers side by side."""
        with self._look(visit, "see-people", "dealer", _days("all dealers", first, last)) as look:
            return ShownAnswer(dealers_of(look, first=first, last=last), look.made_at)

    def dealer(
        self, visit: RoomVisit, name: str, first: date | None = None, last: date | None = None
    ) -> ShownAnswer[DealerTold]:
        """One dealer: errors by kind and direction, pace, days."""
        with self._look(visit, "see-people", "dealer", _days(name, first, last)) as look:
            record = dealer_record(look, name, first=first, last=last)
            directions = (
                _direction("to the player", record.over, record.over_cents, record.decided),
                _direction("to the house", record.under, record.under_cents, record.decided),
            )
            kinds = tuple(_kind(error, record.hands) for error in record.errors)
            return ShownAnswer(DealerTold(record, directions, kinds), look.made_at)

    def players(
        self, visit: RoomVisit, first: date | None = None, last: date | None = None
    ) -> ShownAnswer[list[PlayerLine]]:
        """The players with the highest stakes, side by side."""
        with self._look(visit, "see-players", "player", _days("all players", first, last)) as look:
            return ShownAnswer(players_of(look, first=first, last=last), look.made_at)

    def player(
        self, visit: RoomVisit, token: str, first: date | None = None, last: date | None = None
    ) -> ShownAnswer[Evening]:
        """One player's days, hand by hand; by default the last one."""
        self.require(visit, "see-hands", "player", _days(token, first, last))
        with self._look(visit, "see-players", "player", _days(token, first, last)) as look:
            return ShownAnswer(evening(look, token, first, last), look.made_at)


def _direction(name: str, wagers: int, cents: int, decided: int) -> Direction:
    return Direction(name, wagers, cents, *share_between(wagers, decided))


def _kind(error: ErrorKind, hands: int) -> FindingRate:
    if error.count > hands:  # there may be more decks and shuffles than hands
        return FindingRate(error, None, None)
    _, low, high = share_between(error.count, hands)
    return FindingRate(error, low, high)


def _days(subject: str, first: date | None, last: date | None) -> str:
    return subject if first is None and last is None else f"{subject} from {first or '-'} to {last or '-'}"
