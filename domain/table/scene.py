"""A round as a series of scenes, one per fact: the felt at that moment, and the cards everyone at the table had seen.

A scene shows what was known at its fact and nothing that came out later. A card has a face, or `??` if it is unknown.
It is open once the table has seen it. `veiled` gives the view of users who may not see hidden cards.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from domain.cards import show
from domain.facts.deal import (
    BoxRevealed,
    CardBurned,
    CardDealt,
    CardDrawnInError,
    CardExposed,
    CardFoundFaceUp,
    CommunityRevealed,
    StackDelivered,
)
from domain.facts.decisions import CardsSelected, HandRevealed
from domain.facts.envelope import Fact
from domain.facts.payments import HandsCollected, WagerPaid
from domain.table.fact_text import told as in_words
from domain.table.round import RoundInPlay, evolve
from domain.table.spots import Spot, Wagered

FACE_DOWN = ""  # the face shown for a card the viewer may not see


class Card(msgspec.Struct, frozen=True):
    """A card on the felt."""

    face: str
    open: bool


class Chips(msgspec.Struct, frozen=True):
    """A wager on the felt, and its outcome so far."""

    wager: str
    cents: int | None
    state: str  # lying, withdrawn, collected, paid or returned
    paid_cents: int = 0


class FeltPlace(msgspec.Struct, frozen=True):
    """A seat, the dealer, the community cards or the box."""

    cards: tuple[Card, ...] = ()
    chips: tuple[Chips, ...] = ()
    player: str = ""
    choice: str = ""
    taken: bool = False  # its cards were collected


class FeltScene(msgspec.Struct, frozen=True):
    """The felt after one fact."""

    sequence: int
    at: int
    source: str
    says: str
    touched: str  # the place the fact concerns: seat 4, dealer, community, box
    dealer: FeltPlace
    community: FeltPlace
    box: FeltPlace
    seats: dict[int, FeltPlace]
    burned: int = 0
    voided: bool = False
    over: bool = False
    camera: str | None = None
    time_code: str | None = None
    seen: frozenset[str] = frozenset()  # every face the table had seen by then


def scenes(told: RoundInPlay) -> list[FeltScene]:
    """Return the scenes of a round from its first fact to its last."""
    stage = _Stage(told)
    return [stage.after(fact) for fact in told.facts]


def veiled(scene: FeltScene) -> FeltScene:
    """Return the scene without the faces of cards the table had not seen."""
    return replace(
        scene,
        dealer=_veiled(scene.dealer),
        community=_veiled(scene.community),
        box=_veiled(scene.box),
        seats={seat: _veiled(place) for seat, place in scene.seats.items()},
        says=scene.says if not _tells_hidden(scene) else _HIDDEN,
    )


_WORDS, _CARD = re.compile(r"[\s.,:;()]+"), re.compile("[2-9TJQKA][cdhs]")
_HIDDEN = "Some cards were not shown, and your role may not see them."


def _veiled(place: FeltPlace) -> FeltPlace:
    return replace(place, cards=tuple(card if card.open else Card(FACE_DOWN, open=False) for card in place.cards))


def _tells_hidden(scene: FeltScene) -> bool:
    """Return whether the sentence names a hidden face, or one the table had not seen."""
    hidden = {card.face for place in _places(scene) for card in place.cards if not card.open}
    named = {word for word in _WORDS.split(scene.says) if _CARD.fullmatch(word)}
    return bool(named & hidden or named - scene.seen)


def _places(scene: FeltScene) -> Iterable[FeltPlace]:
    return (scene.dealer, scene.community, scene.box, *scene.seats.values())


class _Stage:
    """The felt of a round, rebuilt fact by fact."""

    def __init__(self, told: RoundInPlay) -> None:
        self._round = RoundInPlay(
            stream=told.stream,
            number=told.number,
            book=told.book,
            house=told.house,
            method=told.method,
            positions=told.positions,
            unrecorded=told.unrecorded,
            unseen_wagers=told.unseen_wagers,
            dealer_person=told.dealer_person,
            deck=told.deck,
            meters=dict(told.meters),
            limits=told.limits,
            marker=told.marker,
            seated=dict(told.seated),
            first=told.first,
            at=told.at,
        )
        self._open: dict[str, Counter[str]] = {}
        self._all_open: set[str] = set()
        self._seen: set[str] = set()
        self._taken: set[str] = set()
        self._burned = 0

    def after(self, fact: Fact) -> FeltScene:
        """Return the scene after the next fact."""
        evolve(self._round, fact)
        self._look(fact)
        now = self._round
        scene = FeltScene(
            sequence=fact.sequence,
            at=fact.at,
            source=fact.source,
            says=in_words(fact),
            touched=_touched(fact),
            dealer=self._place("dealer", now.dealer),
            community=self._place("community", now.community),
            box=self._place("box", now.box),
            seats={number: self._place(f"seat {number}", now.seats[number]) for number in sorted(now.seats)},
            burned=self._burned,
            voided=now.voided,
            over=now.over,
            camera=fact.camera,
            time_code=fact.time_code,
        )
        self._seen |= {card.face for place in _places(scene) for card in place.cards if card.open}
        return replace(scene, seen=frozenset(self._seen))

    def _look(self, fact: Fact) -> None:
        """Note what this fact shows the table."""
        match fact:
            case CardDealt(face_up=True):
                self._turned(_name(fact.to, fact.seat), [fact.card])
            case StackDelivered(face_up=True):
                self._turned(_name(fact.to, fact.seat), fact.cards)
            case CardExposed():
                self._shown(_name(fact.of, fact.seat), [fact.card])
                self._seen.add(fact.card)  # also for cards at no place: from the stub, or burned
            case HandRevealed() | CardsSelected():
                self._shown("dealer" if fact.seat is None else f"seat {fact.seat}", fact.cards)
            case CommunityRevealed():
                self._shown("community", fact.cards)
            case BoxRevealed():
                self._shown("box", fact.cards)
            case CardBurned():
                self._burned += 1
                self._seen |= {fact.card} if fact.face_up else set()
            case CardFoundFaceUp() | CardDrawnInError(exposed=True):
                self._seen.add(fact.card)
            case HandsCollected():
                self._taken.add(_name(fact.of, fact.seat))

    def _turned(self, place: str, cards: Sequence[str]) -> None:
        """Add cards that came to this place face up."""
        self._open[place] = self._open.get(place, Counter()) + Counter(cards)

    def _shown(self, place: str, cards: Sequence[str]) -> None:
        """Turn up cards at this place; one shown before is not added again."""
        if cards:
            self._open[place] = self._open.get(place, Counter()) | Counter(cards)
        else:
            self._all_open.add(place)

    def _place(self, name: str, spot: Spot) -> FeltPlace:
        return FeltPlace(
            cards=tuple(self._cards(name, show(spot.cards).split())),
            chips=tuple(_chips(wagered) for wagered in spot.wagers.values()),
            player=spot.player,
            choice=spot.choice,
            taken=name in self._taken,
        )

    def _cards(self, name: str, faces: Iterable[str]) -> Iterable[Card]:
        left = Counter(self._open.get(name, ()))
        for face in faces:
            seen = name in self._all_open or left[face] > 0
            left[face] -= 1
            yield Card(face, open=seen)


def _name(place: str, seat: int | None) -> str:
    return f"seat {seat}" if place == "seat" else place


def _touched(fact: Fact) -> str:
    """Return the place a fact concerns, if any."""
    seat = getattr(fact, "seat", None)
    if seat is not None:
        return f"seat {seat}"
    place = getattr(fact, "to", None) or getattr(fact, "of", None)
    if place in ("dealer", "community", "box"):
        return str(place)
    return {HandRevealed: "dealer", CommunityRevealed: "community", BoxRevealed: "box"}.get(type(fact), "")


def _chips(wagered: Wagered) -> Chips:
    if any(type(move) is WagerPaid for move in wagered.moves):
        state = "paid"
    elif wagered.returned_cents:
        state = "returned"
    elif wagered.collected_cents:
        state = "collected"
    else:
        state = "withdrawn" if wagered.withdrawn else "lying"
    return Chips(wagered.wager, wagered.cents, state, wagered.paid_cents)
