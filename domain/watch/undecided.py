"""The reasons that leave wagers undecided: what would decide them, and where an opening tells that it is missing."""

import msgspec

from domain.feed.questions import READER
from domain.table.day import TableDay
from domain.watch import owed_vs_paid as why

_DEAL = frozenset({"card-dealt", "stack-delivered"})
_SHOWN = frozenset({"hand-revealed", "community-revealed"})


class Decides(msgspec.Struct, frozen=True):
    """The facts that decide a wager which a reason leaves undecided, and the names in `unrecorded` that state it."""

    facts: str
    unrecorded: frozenset[str] = frozenset()
    unseen_wagers: bool = False  # whether `unseen_wagers` can say it


_DECIDES: dict[str, Decides] = {
    why.CARD: Decides("the cards of card-dealt, stack-delivered, community-revealed and hand-revealed", _DEAL | _SHOWN),
    why.AMOUNT: Decides("`cents` of each wager-placed", frozenset({"wager-placed", "wager-changed"}), True),
    why.NO_SENSOR: Decides("a wager-placed for each wager", frozenset({"wager-placed"}), True),
    why.MOVEMENT: Decides("`cents` of each wager-collected, wager-paid and wager-returned", why.MOVES, True),
    why.NOT_RECORDED: Decides("wager-collected, wager-paid and wager-returned", why.MOVES, True),
    why.DECISION: Decides(
        "decision-made or hand-set with each choice", frozenset({"decision-made", "hand-set", "cards-selected"})
    ),
    why.METER: Decides("the meters in the opening, meter-incremented and meter-read", frozenset({"meter-incremented"})),
    why.NOT_DEALT_IN: Decides("card-dealt or stack-delivered with the seat of each wager", _DEAL),
    why.BY_RULING: Decides("one game in each round: its own number, cards, wagers and movements"),
    why.CONTRADICTION: Decides("cards, wagers and movements that agree with each other"),
    why.NO_CAUSE: Decides("round-voided or hand-voided with its cause", frozenset({"round-voided", "hand-voided"})),
}
_OTHER = Decides("the facts that the list of undecided wagers names")


def deciding(reason: str) -> str:
    """Return the facts that would decide a wager that this reason leaves undecided."""
    return _DECIDES.get(reason, _OTHER).facts


def may_tell(reason: str) -> str:
    """Return the field of an opening that can state this reason, or an empty string."""
    one = _DECIDES.get(reason, _OTHER)
    return "unseen_wagers" if one.unseen_wagers else "unrecorded" if one.unrecorded else ""


def told_in(day: TableDay, reason: str) -> str:
    """Return the field of the opening that states this reason, or an empty string."""
    one = _DECIDES.get(reason, _OTHER)
    if one.unrecorded & day.unrecorded:
        return "unrecorded"
    if one.unseen_wagers and day.unseen_wagers:
        return "unseen_wagers"
    devices = day.opened.devices if day.opened is not None else ()
    unread = reason == why.CARD and devices and all(each.kind != READER for each in devices)
    return "devices" if unread else ""
