"""The fields of one line of the case format: names and types, before any interpretation."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec

Amount = int | None  # whole cents; null is an unseen amount
Texts = list[str]
Street = Literal["", "preflop", "flop", "river"]
Stage = Literal[
    "",
    "before-deal",
    "dealing",
    "dealer-set",
    "dealer-stack",
    "bonus3",
    "bonus5",
    "preflop",
    "flop",
    "river",
    "decision",
    "community",
    "reveal",
    "during-round",
    "before-settlement",
    "after-settlement",
]


class RawAction(msgspec.Struct):
    """One action of a seat."""

    action: str
    street: Street = ""
    cents: Amount | msgspec.UnsetType = msgspec.UNSET
    selected: Texts | None = None
    kept: Texts | None = None
    discarded: Texts | None = None
    first: Texts | None = None
    second: Texts | None = None
    cards: Texts | None = None
    dealt: Any = None
    added: Any = None


class RawSeat(msgspec.Struct):
    """One position."""

    seat: int
    wagers: dict[str, Amount]
    player: str | None = None
    coupons: dict[str, int] | None = None
    cards: Texts | None = None
    actions: list[RawAction] | None = None


class RawAt(msgspec.Struct):
    """The time at which an irregularity was noticed."""

    stage: Stage = ""
    seat: int | None = None
    dealt: int | None = None


class RawFound(msgspec.Struct):
    """A card found face up."""

    card: str = "??"
    after_cards: int | None = None
    when: str | None = None
    street: str | None = None


class RawIrregularity(msgspec.Struct):
    """One irregularity."""

    kind: str
    of: str | None = None
    at: RawAt | None = None
    cards: Texts | None = None
    found: list[RawFound] | None = None
    pending_seats: list[int] | None = None
    ruling: Literal["stands", "reversed", "collect", "return"] | msgspec.UnsetType | None = msgspec.UNSET
    card: str | None = None
    exposed: bool = False
    used_as: str | None = None
    after_cards: int | None = None
    dealt: int | None = None
    expected: int | None = None
    missing_card_face_up: bool | None = None
    deck_correct: bool | None = None
    seat: int | None = None
    election: Literal["complete", "void"] | None = None
    finding: Literal["misdealt", "not-misdealt"] | None = None
    stub: int | None = None
    expected_stub: int | None = None
    deck_total: int | None = None
    device: str | None = None
    deck: Literal["playing", "idle"] | None = None
    count: int | None = None
    marker_stayed_at: int | str | None = None


class RawCase(msgspec.Struct):
    """The whole line. The `expected` fields are the writer's answers, and `clauses` their grounds."""

    rulebook: str
    seats: list[RawSeat]
    id: str | int = ""
    tags: Any = None
    note: Any = None
    config: dict[str, Any] | None = None
    dealing_method: str | None = None
    edition: str = ""
    layout: int | None = None
    marker: int | str | None = None
    dealer: Texts | None = None
    community: Texts | None = None
    six_card_box: Texts | None = None
    burns: Texts | None = None
    burn_reasons: Texts | None = None
    dealer_kept: Texts | None = None
    irregularity: RawIrregularity | None = None
    round_void: bool | None = None
    clauses: Texts | None = None
    expected: dict[str, dict[str, Amount]] | None = None
    expected_aggregates: dict[str, dict[str, Any]] | None = None
    expected_alternatives: dict[str, dict[str, dict[str, Amount]]] | None = None
    expected_meters_after: dict[str, int] | None = None


_NAMES: dict[type, frozenset[str]] = {
    kind: frozenset(kind.__struct_fields__) for kind in (RawCase, RawSeat, RawAction, RawIrregularity, RawAt, RawFound)
}


def typed(raw: Any) -> RawCase:
    """Return the line with all parts of their right types; msgspec's ValidationError says where one is wrong."""
    return msgspec.convert(raw, RawCase)


def unread(raw: Mapping[str, Any]) -> Iterator[str]:
    """Yield unknown fields by their place; they do not affect the answer and are always reported."""
    yield from _unknown(raw, RawCase, "")
    for seat in raw["seats"]:
        yield from _unknown(seat, RawSeat, "seats.")
        for action in seat.get("actions") or ():
            yield from _unknown(action, RawAction, "seats.actions.")
    if what := raw.get("irregularity"):
        yield from _unknown(what, RawIrregularity, "irregularity.")
        yield from _unknown(what.get("at") or {}, RawAt, "irregularity.at.")
        for found in what.get("found") or ():
            yield from _unknown(found, RawFound, "irregularity.found.")


def _unknown(raw: Mapping[str, Any], kind: type, where: str) -> Iterator[str]:
    for name in raw.keys() - _NAMES[kind]:
        yield where + name
