"""Corrections: what a fact should have said, and which corrections are invalid.

A correction follows a fact that was entered wrongly, and both stay on record. It may be about an earlier day of its own
table. It is invalid if it is about another table, a fact that has not happened yet, or another correction, or if it
gives values that the fact cannot have. An invalid correction changes nothing and raises a finding.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.facts.watching import Corrected
from domain.following import Link, answering
from domain.watch.finding import Finding, of_the_record

UNREADABLE = "correction-unreadable"
Corrections = dict[int, tuple[Corrected, ...]]  # by sequence in a stream, in the order of the days


def _nothing(_: str) -> tuple[Link, ...]:
    return ()


def _always(_: str) -> bool:
    return True


class WatchedRecord(msgspec.Struct, frozen=True):
    """The record as a watch reads it before the fact being processed."""

    facts: Callable[[str], Iterable[Fact]]  # a stream's chain from its opening
    from_day: Callable[[str], Iterable[str]]  # this stream and the later ones of its table, in order
    held: Callable[[str], Sequence[Link]] = _nothing  # the chain of a stream's findings
    beside_property: Callable[[str], bool] = _always  # whether a stream and the property's have a common order

    def answering(self) -> "WatchedRecord":
        """Return the same record with read failures marked, so that they are not mistaken for the caller's fault."""
        asked = {name: answering(getattr(self, name)) for name in ("facts", "from_day", "held")}
        return msgspec.structs.replace(self, **asked)


def corrected(fact: Fact, told: Sequence[Corrected] | None) -> Fact | None:
    """Return the fact as it should have been entered, or None if it never happened.

    Of several corrections the last valid one counts. An invalid one changes nothing and leaves earlier ones in force.
    """
    for correction in () if isinstance(fact, Corrected) else reversed(told or ()):
        if correction.reads is msgspec.UNSET:
            return None
        if (read := _reading(fact, correction.reads)) is not None:
            return read
    return fact


def unfit(fact: Fact, told: Iterable[Corrected]) -> list[Corrected]:
    """Return the corrections that give values this fact cannot have."""
    return [correction for correction in told if _is_unfit(fact, correction)]


def also(known: Corrections, correction: Corrected) -> None:
    """Add one correction to those known."""
    held = known.get(correction.corrects_sequence, ())
    if correction not in held:
        known[correction.corrects_sequence] = tuple(sorted((*held, correction), key=_place))


def corrections(record: WatchedRecord, stream: str, before: Corrected | None = None) -> Corrections:
    """Return the corrections of a day, all of them or only those before the correction `before`."""
    found: Corrections = {}
    for name in record.from_day(stream):
        for fact in record.facts(name):
            if before is not None and fact.stream == before.stream and fact.sequence >= before.sequence:
                return found
            if isinstance(fact, Corrected) and fact.corrects_stream == stream and within_reach(fact):
                also(found, fact)
    return found


def told_by(facts: Iterable[Fact]) -> dict[str, Corrections]:
    """Return the corrections among these facts, by stream."""
    found: dict[str, Corrections] = {}
    for fact in facts:
        if isinstance(fact, Corrected) and within_reach(fact):
            also(found.setdefault(fact.corrects_stream, {}), fact)
    return found


def within_reach(correction: Corrected) -> bool:
    """Whether the correction is about an earlier fact of its own table."""
    of, here = correction.corrects_stream, correction.stream
    return owner(of) == owner(here) and (of, correction.corrects_sequence) < (here, correction.sequence)


def unreadable(record: WatchedRecord, correction: Corrected) -> Finding | None:
    """Return the finding on an invalid correction, or None if the correction is valid."""
    if not (why := _why_not(record, correction)):
        return None
    fact = f"fact {correction.corrects_sequence} of {correction.corrects_stream}"
    says = f"The correction of {fact} is ignored: {why}."
    return of_the_record(UNREADABLE, correction, says, [correction])


def _why_not(record: WatchedRecord, correction: Corrected) -> str:
    stream, sequence = correction.corrects_stream, correction.corrects_sequence
    if not within_reach(correction):
        another = owner(stream) != owner(correction.stream)
        return "that fact belongs to another table" if another else "that fact had not happened yet"
    fact = None
    for fact in record.facts(stream):
        if fact.sequence >= sequence:
            break
    if fact is None or fact.sequence < sequence:  # it may still come; then the correction counts
        return "no such fact is on record"
    if isinstance(fact, Corrected):
        return "that fact is itself a correction, so correct the original fact again instead"
    if correction.reads is msgspec.UNSET or not _is_unfit(fact, correction):
        return ""
    wrong = [name for name, value in correction.reads.items() if _reading(fact, {name: value}) is None]
    return f"the new value of {' and '.join(wrong or correction.reads).replace('_', ' ')} does not fit that fact"


def _is_unfit(fact: Fact, correction: Corrected) -> bool:
    if isinstance(fact, Corrected):
        return True
    return correction.reads is not msgspec.UNSET and _reading(fact, correction.reads) is None


def _place(fact: Fact) -> tuple[str, int]:
    return fact.stream, fact.sequence


def _reading(fact: Fact, reads: Mapping[str, Any]) -> Fact | None:
    """Return the fact with these fields in its own place, or None if it cannot have them."""
    fields: dict[str, Any] = msgspec.structs.asdict(fact)
    place = {name: fields[name] for name in ("stream", "sequence", "previous", "source", "source_key")}
    try:
        return msgspec.convert({**fields, **reads, **place}, type(fact), strict=True)
    except msgspec.ValidationError:
        return None
