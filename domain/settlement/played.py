"""A round as it was played: what settlement looks at, whatever it was written down in."""

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

Cards = tuple[int, ...]

MOST_WAYS = 2_000  # two unseen cards of one hand, of one deck or of eight


class Seat(msgspec.Struct, frozen=True, gc=False):
    """One position: its wagers (those that ride on a decision among them), its cards and what was decided.

    An amount nobody saw is None. `choice` is the last decision that matters: `fold`, `play`, `play3`, `play5`,
    `set`, `split`, `surrender`, `natural`, `short-void`, `declare`, or nothing while the seat is still to decide.
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


class Found(msgspec.Struct, frozen=True):
    """A card found face up while the cards were being dealt."""

    card: int
    after_cards: int | None = None
    when: str = ""


class Irregularity(msgspec.Struct, frozen=True):
    """What went wrong, in the words of the case format."""

    kind: str
    of: str = ""
    cards: Cards = ()
    found: tuple[Found, ...] = ()
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
    settled: dict[int, tuple[str, ...]] | None = None  # by seat, what had been settled by then, where that is on record

    @property
    def of_seat(self) -> int | None:
        """The seat this is about, when it is about one."""
        if self.of.startswith("seat:"):
            return int(self.of.removeprefix("seat:"))
        return None if self.of else self.seat


class Round(msgspec.Struct, frozen=True, gc=False):
    """Everything dealt, wagered and decided in one round; seats in the order they were dealt."""

    book: str
    seats: tuple[Seat, ...]
    dealer: Cards = ()
    community: Cards = ()
    six_card_box: Cards = ()
    dealer_kept: Cards = ()
    irregularity: Irregularity | None = None
    void_hands: int = 0  # hands dealt and void since: no longer seats here, still counted as dealt
    meters: dict[str, int] | None = None  # as they stood when settlement began, where the round itself tells
    unseen_meters: frozenset[str] = frozenset()  # those nobody saw: no default stands for them
    most_ways: int = MOST_WAYS  # in how many ways its unseen cards are tried, before a wager is left open

    def seat(self, number: int) -> Seat:
        """The seat of this number."""
        return next(seat for seat in self.seats if seat.seat == number)


Part = TypeVar("Part", Round, Seat)


def with_parts(played: Part, **parts: Any) -> Part:
    """A copy with some parts changed."""
    return msgspec.structs.replace(played, **parts)


def all_cards(played: Round) -> Iterable[int]:
    """Every card lying on the table, seen or not."""
    for seat in played.seats:
        yield from seat.cards
    yield from played.dealer
    yield from played.community
    yield from played.six_card_box
