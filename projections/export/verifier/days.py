"""A table's day according to its facts: what is in force, who is present, and the steps of its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

from projections.export.verifier.paid import COLUMN_OF
from projections.export.verifier.played import MOST_SEATS, MOVES, UNSEEN, InForce, Place, Played, Wagered
from projections.export.verifier.stretches import Shown

_OF_A_ROUND = frozenset(
    f"{name}.1"
    for name in (
        *("round-opened", "card-dealt", "stack-dispensed", "stack-delivered", "slot-assigned", "card-burned"),
        *("community-revealed", "box-revealed", "card-found-face-up", "card-drawn-in-error", "card-exposed"),
        *("card-set-aside", "marker-placed", "hands-determined", "decision-asked", "decision-made", "cards-selected"),
        *("hand-set", "card-discarded", "discards-collected", "hand-revealed", "hand-announced", "three-designated"),
        *("natural-confirmed", "wager-collected", "wager-paid", "wager-returned", "award-verified", "hands-collected"),
        *("stub-removed", "stub-counted", "misdeal-determined", "stub-discarded", "round-completed", "hand-voided"),
        *("round-voided", "ruling-given", "wager-placed", "wager-changed", "wager-withdrawn", "bets-closed"),
        *("progressive-accepted", "progressive-locked-out", "progressive-collected", "progressive-banked"),
    )
)
_WHILE_ONE_IS_OPEN = frozenset(
    f"{name}.1"
    for name in (
        *("cutting-card-reached", "device-emptied", "device-failed", "device-restored", "meter-incremented"),
        *("meter-read", "meter-reset", "observed", "person-came", "person-went", "player-left", "player-seated"),
        *("ruling-given", "shoe-ran-out"),
    )
)
_NOT_BEHIND_ONE = _WHILE_ONE_IS_OPEN | {"card-burned.1", "marker-placed.1"}
_IN_A_ROUND = _OF_A_ROUND | _WHILE_ONE_IS_OPEN
_MOST_CARDS = 8 * 52
_READ_BY = {
    "table-reader": {
        *("card-dealt", "stack-delivered", "card-burned", "community-revealed", "box-revealed", "hand-revealed"),
        "hands-collected",
    },
    "chip-reader": {"wager-placed", "wager-changed", *MOVES},
}


def _dealt(here: Played, fact: dict[str, Any]) -> None:
    here.betting_over, place = True, here.place(fact["to"], fact.get("seat"))
    place.cards.append(fact.get("card", UNSEEN))
    place.dealt.append((place.cards[-1],))


def _delivered(here: Played, fact: dict[str, Any]) -> None:
    here.betting_over, place, cards = True, here.place(fact["to"], fact.get("seat")), fact.get("cards", [])
    size = fact.get("size")
    if size is None:
        size = len(cards) or here.lacking(place)
    place.cards += [*cards, *[UNSEEN] * (min(size, _MOST_CARDS) - len(cards))]
    place.dealt.append(cards)


def _betting_ends(here: Played, _: dict[str, Any]) -> None:
    here.betting_over = True


def _placed(here: Played, fact: dict[str, Any]) -> None:
    place, name, cents = here.seat(fact["seat"]), fact["wager"], fact.get("cents")
    if fact["type"] == "wager-placed.1" and fact.get("player"):
        place.player, place.named = fact["player"], True
    wagered = place.wagers.get(name)
    if wagered is None:
        wagered = place.wagers[name] = Wagered(cents, fact.get("coupon_cents", 0))
    else:
        wagered.cents = cents
        wagered.staked = wagered.staked if here.betting_over else cents
    wagered.placed = True


def _withdrawn(here: Played, fact: dict[str, Any]) -> None:
    wagers, name = here.seat(fact["seat"]).wagers, fact["wager"]
    if not here.betting_over:
        wagers.pop(name, None)
        return
    wagered = wagers.get(name)
    if wagered is None:
        wagered = wagers[name] = Wagered()
    wagered.placed, wagered.cents = True, 0


def _moved(here: Played, fact: dict[str, Any]) -> None:
    wagers, cents = here.seat(fact["seat"]).wagers, fact.get("cents")
    wagered = wagers.get(fact["wager"])
    if wagered is None:
        wagered = wagers[fact["wager"]] = Wagered()
    wagered.moves.append((fact["type"], cents or 0))
    wagered.sums[COLUMN_OF[fact["type"]] - 1] += cents or 0
    wagered.unseen = wagered.unseen or cents is None


def _decided(here: Played, fact: dict[str, Any]) -> None:
    choice = {"check": "", "complete": "", "void": "short-void"}.get(fact["decision"], fact["decision"])
    place = here.seat(fact["seat"]) if choice else None
    if place is not None:
        place.choice = choice


def _of_seat(here: Played, fact: dict[str, Any]) -> Place:
    return here.dealer if fact.get("seat") is None else here.seat(fact["seat"])


def _set(here: Played, fact: dict[str, Any]) -> None:
    place = _of_seat(here, fact)
    here.seen(place, (*fact["kept"], *fact.get("second", ())))
    if fact.get("seat") is not None and here.book == "FAH" and not place.choice:
        place.choice = "set"


def _collected_hand(here: Played, fact: dict[str, Any]) -> None:
    if fact.get("cards"):
        of = {"community": here.community, "box": here.box}.get(fact.get("of", "seat"), here.dealer)
        here.seen(of if fact.get("seat") is None else here.seat(fact["seat"]), fact["cards"])


def _completed(here: Played, fact: dict[str, Any]) -> None:
    here.over = True
    if here.completed is None:
        here.ended_at, here.completed = fact["at"], fact["sequence"]


def _voided(here: Played, fact: dict[str, Any]) -> None:
    if fact["type"] == "hand-voided.1":
        here.void.add(fact["seat"])
    else:
        here.voided = True


def _failed(here: Played, fact: dict[str, Any]) -> None:
    here.chips_failed = here.chips_failed or fact["kind"] == "chip-reader"


def _opened(here: Played, fact: dict[str, Any]) -> None:
    here.camera = here.camera or fact.get("camera") or ""


def _marked(here: Played, fact: dict[str, Any]) -> None:
    codes = "-".join(filter(None, (fact.get("from_code"), fact.get("to_code"))))
    here.video.append(" ".join(filter(None, (fact["recorder"], fact.get("channel"), codes))))


def _banked(here: Played, _: dict[str, Any]) -> None:
    here.banked = True


_STEPS: dict[str, Callable[[Played, dict[str, Any]], object]] = {
    "card-dealt.1": _dealt,
    "stack-dispensed.1": _betting_ends,
    "bets-closed.1": _betting_ends,
    "stack-delivered.1": _delivered,
    "wager-placed.1": _placed,
    "wager-changed.1": _placed,
    "wager-withdrawn.1": _withdrawn,
    "wager-paid.1": _moved,
    "wager-collected.1": _moved,
    "wager-returned.1": _moved,
    "decision-made.1": _decided,
    "hand-set.1": _set,
    "cards-selected.1": lambda here, fact: here.seen(here.seat(fact["seat"]), fact["cards"]),
    "hand-revealed.1": lambda here, fact: here.seen(_of_seat(here, fact), fact.get("cards", ())),
    "community-revealed.1": lambda here, fact: here.seen(here.community, fact.get("cards", ())),
    "box-revealed.1": lambda here, fact: here.seen(here.box, fact.get("cards", ())),
    "slot-assigned.1": lambda here, fact: here.seen(here.community, (fact.get("card", UNSEEN),)),
    "card-exposed.1": lambda here, fact: here.seen(
        here.place(fact["of"], fact.get("seat")), (fact.get("card", UNSEEN),)
    ),
    "hands-collected.1": _collected_hand,
    "round-opened.1": _opened,
    "round-completed.1": _completed,
    "round-voided.1": _voided,
    "hand-voided.1": _voided,
    "device-failed.1": _failed,
    "video-marked.1": _marked,
    "progressive-collected.1": _banked,
}


class PlayedDay:
    """A table's day: what is in force, who is present, and its rounds; for a stream in part, the rounds shown."""

    def __init__(self, shown: Shown, told_rounds: dict[tuple[str, int], int]) -> None:
        self._shown, self._told, self._chosen = shown, told_rounds, frozenset(shown.rounds)
        self.book = self.method = self.dealer = self.pit = ""
        self.unseen_wagers: set[str] = set()
        self.seated: dict[int, str] = {}
        self.rounds: dict[int, Played] = {}
        self.closed = False
        self._unrecorded: frozenset[str] = frozenset()
        self._failed: dict[str, str] = {}
        self._kinds: dict[str, int] = {}  # the number of failed devices by kind
        self._newest: Played | None = None

    def unrecorded(self) -> frozenset[str]:
        """The types of fact that are not recorded at this point."""
        return self._unrecorded.union(*(read for kind, read in _READ_BY.items() if self._kinds.get(kind)))

    def take(self, fact: dict[str, Any]) -> None:
        """Take the next corrected fact. Hot path."""
        kind, number_of, here = fact["type"], fact.get("round"), self._newest
        if not self._shown.whole and number_of is None:
            number_of = self._told.get((fact["stream"], fact["sequence"]))
            here = None if number_of is None else self._round(number_of, fact)
        elif number_of is None:
            if kind == "round-opened.1":
                here = self._round(here.number + 1 if here else 1, fact)
            elif kind not in _IN_A_ROUND or (here is not None and here.over and kind in _NOT_BEHIND_ONE):
                here = None
        elif here is None or number_of != here.number:
            here = self._round(number_of, fact)
        if here is not None:
            here.last = fact["sequence"]
            step = _STEPS.get(kind)
            if step is not None:
                step(here, fact)
        if kind in _OF_THE_DAY:
            _OF_THE_DAY[kind](self, fact)

    def _round(self, number_of: int, fact: dict[str, Any]) -> Played | None:
        newest = self._newest
        begins = newest is None or number_of > newest.number
        if begins and self.book and (self._shown.whole or number_of in self._chosen):
            self._newest = self.rounds[number_of] = Played(number_of, fact, self._in_force())
        return self.rounds.get(number_of)

    def _in_force(self) -> InForce:
        book, method, dealer = self.book, self.method, self.dealer
        return InForce(book, method, dealer, self.unrecorded(), self.unseen_wagers, dict(self.seated))

    def due(self) -> Iterator[Played]:
        """The rounds that have rows: those that are finished or were left open."""
        for _, here in sorted(self.rounds.items()):
            if here.over or here is not self._newest or self.closed:
                yield here

    def opened(self, fact: dict[str, Any]) -> None:
        """Take the opening."""
        self.book, self.method, self.pit = fact["book"], fact["dealing_method"], fact.get("pit", "")
        self._unrecorded, self.unseen_wagers = frozenset(fact.get("unrecorded", ())), set(fact.get("unseen_wagers", ()))

    def changed_method(self, fact: dict[str, Any]) -> None:
        """Change the dealing method."""
        self.method = fact.get("dealing_method") or self.method

    def came(self, fact: dict[str, Any]) -> None:
        """Record that a dealer or supervisor arrived."""
        if fact["role"] == "dealer":
            self.dealer = fact["person"]

    def went(self, fact: dict[str, Any]) -> None:
        """Record that a dealer or supervisor left."""
        if fact["person"] == self.dealer:
            self.dealer = ""

    def failed(self, fact: dict[str, Any]) -> None:
        """Record that a device failed; the whole round counts as unrecorded."""
        self.restored(fact)
        self._failed[fact["device"]] = fact["kind"]
        self._kinds[fact["kind"]] = self._kinds.get(fact["kind"], 0) + 1
        if self._newest is not None and not self._newest.over:
            self._newest.unrecorded = self.unrecorded()

    def restored(self, fact: dict[str, Any]) -> None:
        """Record that a device was restored."""
        kind = self._failed.pop(fact["device"], None)
        if kind is not None:
            self._kinds[kind] -= 1

    def sat(self, fact: dict[str, Any]) -> None:
        """Record that a player sat down."""
        if not 1 <= fact["seat"] <= MOST_SEATS:
            raise TypeError(f"there is no seat {fact['seat']}")
        self.seated[fact["seat"]] = fact["player"]

    def left(self, fact: dict[str, Any]) -> None:
        """Record that a player left."""
        self.seated.pop(fact["seat"], None)

    def close(self, _: dict[str, Any]) -> None:
        """Close the day."""
        self.closed = True


_OF_THE_DAY: dict[str, Callable[[PlayedDay, dict[str, Any]], None]] = {
    "table-opened.1": PlayedDay.opened,
    "method-changed.1": PlayedDay.changed_method,
    "person-came.1": PlayedDay.came,
    "person-went.1": PlayedDay.went,
    "device-failed.1": PlayedDay.failed,
    "device-restored.1": PlayedDay.restored,
    "player-seated.1": PlayedDay.sat,
    "player-left.1": PlayedDay.left,
    "table-closed.1": PlayedDay.close,
}
