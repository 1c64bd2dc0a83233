"""The house's work at a simulated table between rounds: relief, chips, deck changes, new limits."""

from random import Random

from domain.facts import table_day
from domain.simulation import decks, opening
from domain.simulation.pace import MINUTE
from domain.simulation.people import Crew, habits
from domain.simulation.seating import TableSeating
from domain.simulation.seed import World
from domain.simulation.table import TableInPlay

_LOW, _HIGH = 40, 200  # percent of the opener in the tray at which a fill or credit is due
_ROUND_CENTS = 100_000


class HouseScript:
    """The work due at one table on one day, with its times."""

    def __init__(self, world: World, table: TableInPlay, crew: Crew, hours: tuple[int, int], own: Random) -> None:
        self.world, self.table = world, table
        self._dealers = list(crew.dealers[1:])
        self._floor = list(crew.floorpersons[1:])
        self._slips = 0
        opens, closes = hours
        # In the evening a full table may double its minimum.
        self._raises_at = opens + (closes - opens) * 6 // 10 if own.random() < 0.25 else None
        # Maryland limits a deck's time, and Fast Action changes decks daily; elsewhere they are changed when worn.
        worn = table.book not in ("FAH", "UTH-MD") and own.random() < 0.4
        self._worn_at = opens + own.randrange(120, 360) * MINUTE if worn else None

    def relieve(self) -> None:
        """Relieve the staff on schedule: dealers, and the floorperson once a day."""
        table, now = self.table, self.table.post.at
        due = [relief for relief in self._floor if relief.at <= now]
        if due:
            del self._floor[: len(due)]
            table.post.say(table_day.PersonCame, due[-1].person, "floorperson")
            table.post.say(table_day.PersonWent, table.floorperson, "floorperson")
            table.floorperson = due[-1].person
        due = [relief for relief in self._dealers if relief.at <= now]
        if due:
            del self._dealers[: len(due)]
            if due[-1].person != table.dealer:
                opening.relieve(table, due[-1].person)
                table.post.keep_pace(habits(self.world, table.dealer))

    def tend(self, seating: TableSeating) -> None:
        """Handle chips, decks and limits as they become due."""
        table, now = self.table, self.table.post.at
        self._chips()
        if self._worn_at is not None and self._worn_at <= now:
            self._worn_at = None
            for deck in list(table.decks):
                decks.change(table, deck, "worn")
        if self._raises_at is not None and self._raises_at <= now:
            self._raises_at = None
            wager = next(iter(table.setup.limits))
            seating.least_cents *= 2
            opening.post_limits(table, wager, seating.least_cents, table.setup.limits[wager].most_cents)

    def wind_up(self) -> None:
        """Bring a fill if the last round paid out more than the tray held."""
        if self.table.tray_cents < 0:
            self._chips()

    def _chips(self) -> None:
        table, opener = self.table, self.table.setup.opener_cents
        short = opener - table.tray_cents
        if table.tray_cents * 100 < opener * _LOW:
            opening.fill(table, self._slip("F"), -(-short // _ROUND_CENTS) * _ROUND_CENTS)
        elif table.tray_cents * 100 > opener * _HIGH:
            opening.credit(table, self._slip("C"), -short // _ROUND_CENTS * _ROUND_CENTS)

    def _slip(self, kind: str) -> str:
        self._slips += 1
        return f"{kind}-{self.table.setup.gaming_day}-{self.table.setup.table}-{self._slips}"
