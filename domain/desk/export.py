"""An export from order to signature; two people answer for what leaves the house."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from domain.desk.acting import DeskAct, RefusedError, by, once, words
from domain.desk.export_records import ExportDeclined, ExportOrdered, ExportSigned
from domain.facts.envelope import Fact

PREFIX = "export/"


class Export(msgspec.Struct):
    """An export in its current state. Its name comes from its question, so that nobody orders the same one twice."""

    order: str
    ordered: ExportOrdered | None = None
    signed: ExportSigned | None = None
    declined: ExportDeclined | None = None
    keys: set[str] = set()
    version: int = 0

    @property
    def id(self) -> str:
        """The name of its stream in the event-sourcing library."""
        return stream_of(self.order)


def stream_of(order: str) -> str:
    """Return the stream of an export."""
    return f"{PREFIX}{order}"


def initial(order: str) -> Export:
    """Return an export before it is ordered."""
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
    """Return the export after this record."""
    _EVOLVE[type(fact)](state, fact)
    state.version = fact.sequence
    state.keys.add(fact.source_key)
    return state


def fold(order: str, facts: Iterable[Fact]) -> Export:
    """Return the export after these records."""
    state = initial(order)
    for fact in facts:
        state = evolve(state, fact)
    return state


@once
def order(
    state: Export, act: DeskAct, question: str, *, asked: str, purpose: str, recipient: str, checkpoint: int
) -> list[Fact]:
    """Order an export; an existing order is not repeated, and a declined one may be placed again."""
    if state.ordered is not None and state.declined is None:
        return []
    return [
        ExportOrdered(
            **by(act),
            asked=words(asked, "what the export contains"),
            purpose=words(purpose, "the purpose of the export"),
            recipient=words(recipient, "who receives the export"),
            question=question,
            checkpoint=checkpoint,
        )
    ]


@once
def sign(state: Export, act: DeskAct, export: str, *, digest: str, size: int, facts: int) -> list[Fact]:
    """Sign the export; the same person makes the same file again without a new record."""
    may_sign(state, act.who)
    if state.signed is None:
        return [ExportSigned(**by(act), export=export, digest=digest, bytes=size, facts=facts)]
    if state.signed.digest != digest:
        raise RefusedError(
            "already-so",
            f"{state.signed.by} signed it as SHA-256 {state.signed.digest}, but this file would be {digest}: "
            "another version or another key makes another file. Order it again.",
        )
    return []


@once
def decline(state: Export, act: DeskAct, why: str) -> list[Fact]:
    """Decline to sign the export."""
    waiting(state)
    return [ExportDeclined(**by(act), why=words(why, "why you decline it"))]


def may_sign(state: Export, who: str) -> ExportOrdered:
    """Return the order if this person may sign it; refuse before anything is made."""
    if state.ordered is None:
        raise RefusedError("not-there", f"There is no order {state.order}.")
    if state.declined is not None:
        raise RefusedError("closed", f"{state.declined.by} declined it: {state.declined.why}.")
    if state.ordered.by == who:
        raise RefusedError("same-person", f"{who} ordered it, so another person has to sign it.")
    if state.signed is not None and state.signed.by != who:
        raise RefusedError("already-so", f"{state.signed.by} has already signed it.")
    return state.ordered


def waiting(state: Export) -> ExportOrdered:
    """Return the order if it waits for a signature."""
    if state.ordered is None:
        raise RefusedError("not-there", f"There is no order {state.order}.")
    if state.signed is not None:
        raise RefusedError("already-so", f"{state.signed.by} has already signed it.")
    if state.declined is not None:
        raise RefusedError("already-so", f"{state.declined.by} has already declined it.")
    return state.ordered
