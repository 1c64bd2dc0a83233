"""An export from the order to the signature: two people stand for what leaves the house."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain.desk.acting import Act, RefusedError, by, once, words
from domain.desk.export_records import ExportDeclined, ExportOrdered, ExportSigned
from domain.facts.envelope import Fact

PREFIX = "export/"


class Export(msgspec.Struct):
    """An export as it stands. Its order is named after what is asked, so that the same is not ordered twice."""

    order: str
    ordered: ExportOrdered | None = None
    signed: ExportSigned | None = None
    declined: ExportDeclined | None = None
    keys: set[str] = set()
    version: int = 0

    @property
    def id(self) -> str:
        """Its stream, as the event-sourcing library calls it."""
        return stream_of(self.order)


def stream_of(order: str) -> str:
    """The stream of an export."""
    return f"{PREFIX}{order}"


def initial(order: str) -> Export:
    """An export nobody has ordered."""
    return Export(order)


def _ordered(state: Export, fact: ExportOrdered) -> None:
    state.ordered, state.declined = fact, None


def _signed(state: Export, fact: ExportSigned) -> None:
    state.signed = fact


def _declined(state: Export, fact: ExportDeclined) -> None:
    state.declined = fact


_EVOLVE: dict[type[Fact], Callable[[Export, Any], None]] = {
    ExportOrdered: _ordered,
    ExportSigned: _signed,
    ExportDeclined: _declined,
}


def evolve(state: Export, fact: Fact) -> Export:
    """The export after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(order: str, facts: Iterable[Fact]) -> Export:
    """The export after these records."""
    state = initial(order)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def order(
    state: Export, act: Act, question: str, *, asked: str, purpose: str, recipient: str, checkpoint: int
) -> list[Fact]:
    """Asks for an export; one that was ordered already is not ordered again, one that was declined may be."""
    if state.ordered is not None and state.declined is None:
        return []
    return [
        ExportOrdered(
            **by(act),
            asked=words(asked, "what is asked for"),
            purpose=words(purpose, "what it is for"),
            recipient=words(recipient, "for whom it is"),
            question=question,
            checkpoint=checkpoint,
        )
    ]


@once
def sign(state: Export, act: Act, export: str, *, digest: str, size: int, facts: int) -> list[Fact]:
    """Stands for it. Made again by the same person it is the same file, and nothing more is to be written down."""
    may_sign(state, act.who)
    if state.signed is None:
        return [ExportSigned(**by(act), export=export, digest=digest, bytes=size, facts=facts)]
    if state.signed.digest != digest:
        raise RefusedError(
            "already-so",
            f"{state.signed.by} signed it as SHA-256 {state.signed.digest}, and this would be {digest}: "
            "another version or another key makes another file. Order it anew.",
        )
    return []


@once
def decline(state: Export, act: Act, why: str) -> list[Fact]:
    """Has nobody sign it."""
    waiting(state)
    return [ExportDeclined(**by(act), why=words(why, "why it is not to be made"))]


def may_sign(state: Export, who: str) -> ExportOrdered:
    """The order, if this person may sign it; raised before anything is made."""
    if state.ordered is None:
        raise RefusedError("not-there", f"There is no order {state.order}.")
    if state.declined is not None:
        raise RefusedError("closed", f"{state.declined.by} declined it: {state.declined.why}.")
    if state.ordered.by == who:
        raise RefusedError("same-person", f"{who} ordered it; somebody else has to sign it.")
    if state.signed is not None and state.signed.by != who:
        raise RefusedError("already-so", f"{state.signed.by} signed it already.")
    return state.ordered


def waiting(state: Export) -> ExportOrdered:
    """The order, if it waits to be signed."""
    if state.ordered is None:
        raise RefusedError("not-there", f"There is no order {state.order}.")
    if state.signed is not None:
        raise RefusedError("already-so", f"{state.signed.by} signed it already.")
    if state.declined is not None:
        raise RefusedError("already-so", f"{state.declined.by} declined it already.")
    return state.ordered
