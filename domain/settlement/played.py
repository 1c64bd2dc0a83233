"""A round as it was played, in the form settlement uses, whatever its source."""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

Cards = tuple[int, ...]

MOST_WAYS = 2_000  # two unseen cards of one hand, from one deck or from eight


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One position: its wagers (including those that go with a decision), its cards and its decision.

    An unseen amount is None. `choice` is the last relevant decision: `fold`, `play`, `play3`, `play5`, `set`, `split`,
    `surrender`, `natural`, `short-void`, `declare`, or empty while the seat has yet to decide.
    """

    seat: int
    wagers: dict[str, int | None]
    cards: Cards
    choice: str = ""
    kept: Cards = ()
    second: Cards = ()
    selected: Cards = ()
    player: str = ""
    coupons: dict[str, int] = {}
    left: bool = False


class FaceUpCard(msgspec.Struct, frozen=True):
    """A card found face up during the deal."""

    card: int
    after_cards: int | None = None
    when: str = ""


class Irregularity(msgspec.Struct, frozen=True):
    """One irregularity, in the words of the case format."""

    kind: str
    of: str = ""
    cards: Cards = ()
    found: tuple[FaceUpCard, ...] = ()
    pending_seats: tuple[int, ...] | None = None
    stage: str = ""
    at_seat: int | None = None
    at_dealt: int | None = None
    ruling: str | None = None
    has_ruling: bool = False
    card: int | None = None
    exposed: bool = False
    used_as: str = ""
    dealt: int | None = None
    missing_card_face_up: bool = False
    deck_correct: bool = True
    seat: int | None = None
    election: str = ""
    finding: str = ""
    device: str = ""
    deck: str = ""
    count: int | None = None
    settled: dict[int, tuple[str, ...]] | None = None  # by seat, the wagers settled by then, where recorded

    @property
    def of_seat(self) -> int | None:
        """The seat this concerns, if it concerns one."""
        if self.of.startswith("seat:"):
            return int(self.of.removeprefix("seat:"))
        return None if self.of else self.seat


class PlayedRound(msgspec.Struct, frozen=True, gc=False):
    """Everything dealt, wagered and decided in one round; seats in the order they were dealt."""

    book: str
    seats: tuple[Seat, ...]
    dealer: Cards = ()
    community: Cards = ()
    six_card_box: Cards = ()
    dealer_kept: Cards = ()
    irregularity: Irregularity | None = None
    void_hands: int = 0  # hands dealt and void since: no longer seats here, but counted as dealt
    meters: dict[str, int] | None = None  # as they were when settlement began, if the round shows it
    unseen_meters: frozenset[str] = frozenset()  # unseen meters, which no default replaces
    most_ways: int = MOST_WAYS  # the most ways to try its unseen cards before a wager is left open

    def seat(self, number: int) -> Seat:
        """Return the seat of this number."""
        return next(seat for seat in self.seats if seat.seat == number)


Part = TypeVar("Part", PlayedRound, Seat)


def with_parts(played: Part, **parts: Any) -> Part:
    """Return a copy with some parts changed."""
    return msgspec.structs.replace(played, **parts)


def all_cards(played: PlayedRound) -> Iterable[int]:
    """Return every card on the table, seen or not."""
    for seat in played.seats:
        yield from seat.cards
    yield from played.dealer
    yield from played.community
    yield from played.six_card_box
