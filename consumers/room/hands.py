"""Hands in the room: rebuilt from the facts, scene by scene, showing only what a person may see."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

import msgspec

from consumers.logs.log import Log
from consumers.watching.finding_hands import NoSuchHandError, by_number, rebuilt
from domain.desk.roles import Person, require
from domain.table.round import RoundInPlay
from domain.table.scene import FeltPlace, FeltScene, scenes, veiled
from domain.watch.finding import Finding
from domain.watch.reconstruction import Reconstruction, SeatHand, WagerLine
from domain.watch.verifier import Verifier

BACK = "--"  # a face-down card in a line of cards
_KEPT = 12  # folded days kept for repeated looks

Folded = Callable[[str], Verifier]


class HandView(msgspec.Struct, frozen=True):
    """A hand as one person may see it."""

    told: Reconstruction
    scenes: tuple[FeltScene, ...]
    positions: int
    live: bool  # it is being played
    veiled: bool  # cards that the table had not seen are hidden
    zone: str  # the table's time zone


class Hands:
    """The hands of one record, rebuilt from the last days it folded."""

    def __init__(self, log: Log, folded: Folded) -> None:
        self._log = log
        self._folded = folded
        self._lock = Lock()
        self._days: OrderedDict[str, tuple[int, Verifier]] = OrderedDict()

    def hand(self, person: Person, stream: str, number: int) -> HandView:
        """A round for this person: a live one, and hidden cards, only with the right to see them."""
        require(person, "see-hands")
        verifier = self.day(stream)
        return seen(person, verifier, by_number(verifier, number)[0])

    def day(self, stream: str) -> Verifier:
        """A table's day from its current facts."""
        begins = self._log.begins(stream)
        if begins is None:
            raise NoSuchHandError(f"the record has no stream {stream}")
        newest = self._log.last_position(begins.partition)
        with self._lock:
            held = self._days.get(stream)
            if held is None or (held[0] != newest and held[1].day.closed is None):
                held = self._days[stream] = (newest, self._folded(stream))
            self._days.move_to_end(stream)
            while len(self._days) > _KEPT:
                self._days.popitem(last=False)
            return held[1]


def seen(person: Person, verifier: Verifier, told: RoundInPlay, two: Sequence[Finding] = ()) -> HandView:
    """A round of a day as a person may see it, on a page or in a command; `two` are findings about two tables."""
    require(person, "see-hands")
    live = is_live(verifier, told)
    if live:
        require(person, "see-live-hands")
    hide = live or not person.may("see-hidden-cards")
    row = scenes(told)
    whole = rebuilt(verifier, [told], two)[0]
    if hide:
        row = [veiled(scene) for scene in row]
        whole = _veiled(whole, row)
    if live:
        whole = _unsettled(whole)
    opened = verifier.day.opened
    return HandView(whole, tuple(row), told.positions, live, hide, opened.zone if opened else "UTC")


def is_live(verifier: Verifier, told: RoundInPlay) -> bool:
    """Whether a round is still in play."""
    return not told.over and verifier.day.closed is None


def _veiled(told: Reconstruction, row: Sequence[FeltScene]) -> Reconstruction:
    """The record without hidden cards, the words that name them, and everything that follows from them alone."""
    last, says = row[-1], {scene.sequence: scene.says for scene in row}
    return msgspec.structs.replace(
        told,
        steps=tuple(msgspec.structs.replace(step, says=says[step.sequence]) for step in told.steps),
        seats=tuple(_seat(seat, last.seats[seat.seat]) for seat in told.seats),
        dealer_cards=_faces(last.dealer),
        dealer_hand=told.dealer_hand if _all_open(last.dealer) else "",
        community=_faces(last.community),
        box=_faces(last.box),
    )


def _unsettled(told: Reconstruction) -> Reconstruction:
    """The record of a live hand without the amounts owed, because they follow from unseen cards."""
    return msgspec.structs.replace(
        told,
        seats=tuple(
            msgspec.structs.replace(seat, wagers=tuple(_not_owed_yet(line) for line in seat.wagers))
            for seat in told.seats
        ),
        undecided=(),
        meters_after={},
    )


def _not_owed_yet(line: WagerLine) -> WagerLine:
    return msgspec.structs.replace(line, owed_cents=None, clause="", basis="", needs=())


def _seat(seat: SeatHand, place: FeltPlace) -> SeatHand:
    shown = msgspec.structs.replace(seat, cards=_faces(place))
    return shown if _all_open(place) else msgspec.structs.replace(shown, hand="", kept="", second="", selected="")


def _all_open(place: FeltPlace) -> bool:
    return all(card.open for card in place.cards)


def _faces(place: FeltPlace) -> str:
    return " ".join(card.face or BACK for card in place.cards)
