"""The record of a table's sensors: unrecorded kinds of fact, wagers without a sensor, unread cards."""

from typing import Any, Literal

import msgspec

from domain.facts import deal, decisions, payments
from domain.facts.catalogue import TYPES
from domain.facts.codec import name_of
from domain.facts.envelope import Fact

Reading = Literal["all", "shown", "none"]  # which cards are read: all, those face up, or none

_ONE, _MANY = "card", ("cards", "kept", "second")
# Facts about cards everyone can see; a dealt card or stack says itself whether it is face up.
_SHOWN: frozenset[type[Fact]] = frozenset(
    {
        decisions.HandRevealed,
        decisions.CardsSelected,
        decisions.ThreeDesignated,
        deal.CommunityRevealed,
        deal.BoxRevealed,
        deal.CardFoundFaceUp,
        deal.CardExposed,
    }
)
# Facts that mean nothing without the number of their cards.
_KEEPS_NUMBER: frozenset[type[Fact]] = frozenset(
    {decisions.CardsSelected, decisions.HandSet, decisions.ThreeDesignated}
)


class Sight(msgspec.Struct, frozen=True):
    """The part that is recorded of everything that happens at a table."""

    unrecorded: frozenset[str] = frozenset()  # such as `card-burned`: unrecorded kinds
    unseen_wagers: frozenset[str] = frozenset()
    reading: Reading = "all"

    def of(self, fact: Fact) -> Fact | None:
        """Return the fact as it is recorded, or None if it is not."""
        if self.unrecorded and name_of(fact).rpartition(".")[0] in self.unrecorded:
            return None
        if (
            self.unseen_wagers
            and getattr(fact, "wager", None) in self.unseen_wagers
            and not isinstance(fact, payments.RulingGiven)
        ):
            return None
        if self.reading == "all" or type(fact) not in _TELL_OF_CARDS or self._shown(fact):
            return fact
        return _unread(fact)

    def plain(self, kind: type[Fact]) -> bool:
        """Return whether every fact of a kind is recorded unchanged."""
        silent = str(kind.__struct_config__.tag).rpartition(".")[0] in self.unrecorded
        unseen = bool(self.unseen_wagers) and "wager" in kind.__struct_fields__
        return not silent and not unseen and (self.reading == "all" or kind not in _TELL_OF_CARDS)

    def _shown(self, fact: Fact) -> bool:
        if self.reading == "none":
            return False
        lies_open = getattr(fact, "face_up", False) or getattr(fact, "exposed", False)
        dealers_own = isinstance(fact, decisions.HandSet) and fact.seat is None
        return type(fact) in _SHOWN or bool(lies_open) or dealers_own


def _unread(fact: Fact) -> Fact:
    parts: dict[str, Any] = {}
    if getattr(fact, _ONE, "??") != "??" and isinstance(fact, _WITH_ONE):
        parts[_ONE] = "??"
    for name in _MANY:
        held = getattr(fact, name, ())
        if isinstance(held, tuple) and held:
            parts[name] = ("??",) * len(held) if type(fact) in _KEEPS_NUMBER else ()
    return msgspec.structs.replace(fact, **parts) if parts else fact


# `card` may also name a cover card; in these facts it is a card of the deck.
_WITH_ONE = (
    deal.CardDealt,
    deal.SlotAssigned,
    deal.CardBurned,
    deal.CardFoundFaceUp,
    deal.CardDrawnInError,
    deal.CardExposed,
    deal.CardSetAside,
)

_TELL_OF_CARDS = frozenset(
    kind for kind in TYPES.values() if kind in _WITH_ONE or not set(_MANY).isdisjoint(kind.__struct_fields__)
)
