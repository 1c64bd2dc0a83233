"""Staff and players at the table: staff in order of arrival, players seat by seat."""

import msgspec

from domain.facts.envelope import Fact
from domain.facts.players import PlayerLeft, PlayerSeated
from domain.facts.table_day import PersonCame, PersonWent
from domain.facts.table_money import BoughtIn
from projections.changes import Row


class StaffPost(msgspec.Struct, gc=False):
    """One stay of a member of staff."""

    person: str
    role: str
    came_at: int
    went_at: int | None = None
    first_round: int | None = None
    last_round: int | None = None


class PlayerStay(msgspec.Struct, gc=False):
    """One stay of a player."""

    seat: int
    player: str
    seated_at: int
    left_at: int | None = None
    bought_in_cents: int = 0


class People(msgspec.Struct, gc=False):
    """All people so far; those present are found by name and by seat."""

    posts: list[StaffPost] = []
    seatings: list[PlayerStay] = []
    here: dict[tuple[str, str], StaffPost] = {}
    seated: dict[int, PlayerStay] = {}

    def take(self, fact: Fact) -> None:
        """Take a fact about people."""
        match fact:
            case PersonCame() if (fact.person, fact.role) not in self.here:
                post = self.here[fact.person, fact.role] = StaffPost(fact.person, fact.role, fact.at)
                self.posts.append(post)
            case PersonWent():
                gone = self.here.pop((fact.person, fact.role), None)
                if gone is not None:
                    gone.went_at = fact.at
            case PlayerSeated():
                self._leaves(fact.seat, fact.at)
                seating = self.seated[fact.seat] = PlayerStay(fact.seat, fact.player, fact.at)
                self.seatings.append(seating)
            case PlayerLeft():
                self._leaves(fact.seat, fact.at)
            case BoughtIn():
                self._bought(fact)

    def round_begins(self, number: int) -> None:
        """Begin a round with the people present."""
        for post in self.here.values():
            if post.first_round is None:
                post.first_round = number
            post.last_round = number

    def _leaves(self, seat: int, at: int) -> None:
        gone = self.seated.pop(seat, None)
        if gone is not None:
            gone.left_at = at

    def _bought(self, fact: BoughtIn) -> None:
        found = self.seated.get(fact.seat) if fact.seat is not None else None
        if found is None and fact.player:
            found = next((each for each in self.seated.values() if each.player == fact.player), None)
        if found is not None:
            found.bought_in_cents += fact.cents or 0

    def staff_rows(self, start: Row) -> list[Row]:
        """Return a row per stay of a member of staff."""
        return [
            (*start, n, post.person, post.role, post.came_at, post.went_at, post.first_round, post.last_round)
            for n, post in enumerate(self.posts, start=1)
        ]

    def seating_rows(self, start: Row) -> list[Row]:
        """Return a row per stay of a player."""
        return [
            (*start, n, each.seat, each.player, each.seated_at, each.left_at, each.bought_in_cents)
            for n, each in enumerate(self.seatings, start=1)
        ]


KINDS: tuple[type[Fact], ...] = (PersonCame, PersonWent, PlayerSeated, PlayerLeft, BoughtIn)
