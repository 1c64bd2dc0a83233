"""A round according to its facts: cards, wagers and amounts handed back, as far as this needs no rule book."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

UNSEEN = "??"
_CARDS_DUE = {"UTH-MA": (2, 2, 5), "UTH-MD": (2, 2, 5), "PIK": (5, 5, 0), "FAH": (4, 4, 5), "COL": (3, 0, 3)}
_BOX_CARDS = 4
MOST_SEATS = 12
MOVES = {"wager-paid", "wager-collected", "wager-returned"}


class Wagered:
    """A wager of a seat: its chips, its chips when betting ended, and its outcome."""

    __slots__ = ("cents", "coupon", "moves", "placed", "staked", "sums", "unseen")

    def __init__(self, cents: int | None = None, coupon: int = 0) -> None:
        self.cents = self.staked = cents
        self.coupon = coupon
        self.placed = self.unseen = False
        self.moves: list[tuple[str, int]] = []
        self.sums = [0, 0, 0]  # collected, paid, returned


class Place:
    """A seat, the dealer's place or the community cards: its cards, wagers and decisions."""

    __slots__ = ("cards", "choice", "dealt", "disputed", "named", "player", "wagers")

    def __init__(self, player: str = "") -> None:
        self.player, self.choice = player, ""
        self.named = self.disputed = False
        self.cards: list[str] = []
        self.dealt: list[Sequence[str]] = []
        self.wagers: dict[str, Wagered] = {}

    def fill(self, shown: Sequence[str]) -> bool:
        """Replace unknown cards with cards seen later; return False if they contradict known cards."""
        rest, new = list(self.cards), []
        for seen in shown:
            if seen in rest and seen != UNSEEN:
                rest.remove(seen)
            elif seen != UNSEEN:
                new.append(seen)
        for seen in new:
            if UNSEEN not in self.cards:
                return False
            self.cards[self.cards.index(UNSEEN)] = seen
        return True

    def dispute(self) -> None:
        """Mark the cards as disputed by two facts; the cards read at the deal stay."""
        self.disputed, read = True, {card for cards in self.dealt for card in cards}
        self.cards = [card if card in read else UNSEEN for card in self.cards]


class InForce(NamedTuple):
    """The state at the start of a round: book, method, dealer, unrecorded types of fact, and seated players."""

    book: str
    method: str
    dealer: str
    unrecorded: frozenset[str]
    unseen_wagers: set[str]
    seated: dict[int, str]


class Played:
    """A round, as far as its facts are known."""

    def __init__(self, number: int, fact: dict[str, Any], began: InForce) -> None:
        self.number, self.first, self.last, self.at = number, fact["sequence"], fact["sequence"], fact["at"]
        self.book, self.method, self.dealer_person = began.book, began.method, began.dealer
        self.unrecorded, self.unseen_wagers, self.seated = began.unrecorded, began.unseen_wagers, began.seated
        self.seats: dict[int, Place] = {}
        self.dealer: Place = Place()
        self.community: Place = Place()
        self.box: Place = Place()
        self.betting_over = self.over = self.voided = self.banked = self.chips_failed = False
        self.opens = fact["type"] == "round-opened.1"
        self.ended_at: int | None = None
        self.completed: int | None = None  # the sequence of its last fact
        self.void: set[int] = set()
        self.video: list[str] = []
        self.camera = ""  # of the opening

    def seat(self, number: int) -> Place:
        """Return a seat, creating it when it is first named."""
        found = self.seats.get(number)
        if found is None:
            found = self.seats[number] = Place(self.seated.get(number, ""))
        return found

    def place(self, name: str, seat: int | None) -> Place:
        """Return the place to which a card was dealt."""
        if name == "seat":
            return self.seat(seat or 0)
        return self.community if name == "community" else self.box if name == "box" else self.dealer

    def lacking(self, place: Place) -> int:
        """Return the number of cards that the game still deals to a place."""
        each, dealer, community = _CARDS_DUE[self.book]
        places = ((self.dealer, dealer), (self.community, community), (self.box, _BOX_CARDS))
        due = next((many for one, many in places if one is place), each)
        return max(0, due - len(place.cards))

    def seen(self, place: Place, cards: Sequence[str]) -> None:
        """Record cards of a place that were seen later."""
        if not cards or (place.disputed and UNSEEN in place.cards) or place.fill(cards):
            return
        if not place.dealt and not self.unrecorded.isdisjoint(("card-dealt", "stack-delivered")):
            each, dealer, community = _CARDS_DUE[self.book]
            due = dealer if place is self.dealer else community if place is self.community else each
            place.cards += [UNSEEN] * (due - len(place.cards))
            while not place.fill(cards):
                place.cards.append(UNSEEN)
            return
        place.dispute()

    @property
    def blind(self) -> bool:
        """True if the movement of wagers was not recorded."""
        return self.chips_failed or not self.unrecorded.isdisjoint(MOVES)

    def lay(self, name: str, wagered: Wagered) -> bool:
        """Return whether a wager was on the table."""
        return wagered.placed or name in self.unseen_wagers or "wager-placed" in self.unrecorded

    def handed(self, name: str, wagered: Wagered) -> tuple[int | None, int]:
        """Return the total handed back and the amount added late; None if an amount that matters was not seen."""
        gone = name == "envy"
        if name == "progressive" and self.book == "UTH-MD":
            gone = self.banked or "progressive-collected" in self.unrecorded
        lies, staked, paid = wagered.cents, wagered.staked, False
        if not gone and (lies is None or staked is None):
            return None, 0
        lying = 0 if gone else lies or 0
        late = 0 if gone else lying - (staked or 0)
        back = max(0, -late)
        for kind, cents in wagered.moves:
            if kind == "wager-paid.1":
                back, paid = back + cents, paid or cents > 0
                continue
            taken = min(cents, lying)
            lying -= taken
            back += cents if kind == "wager-returned.1" else taken - cents
        return back + lying if paid else back, max(0, late)

    def amounts(self, name: str, wagered: Wagered) -> list[int | None]:
        """Return the amounts staked, late, by coupon, collected, paid, returned and handed back."""
        staked = 0 if name == "envy" else wagered.staked
        seen = not (wagered.unseen or self.blind)
        back, late = None, 0
        if seen and (wagered.moves or name not in self.unseen_wagers):
            back, late = self.handed(name, wagered)
        known = wagered.cents is not None and wagered.staked is not None
        moved: list[int | None] = [*wagered.sums] if seen else [None, None, None]
        return [staked, late if known else None, wagered.coupon, *moved, back]
