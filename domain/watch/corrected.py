"""Corrections: what a fact should have said, and which of them can change nothing.

A fact that was entered wrongly is followed by a correction, and both stay. It may be about an earlier day of its table.
Of another table, of what has not happened yet or of a correction it is nobody's to make. Such a one, and one that says
what its fact cannot have, is not read: the fact stands as it did before, and that is a finding.
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
Corrections = dict[int, tuple[Corrected, ...]]  # of each sequence of a stream, in the order of the days


def _nothing(_: str) -> tuple[Link, ...]:
    return ()


def _always(_: str) -> bool:
    return True


class Record(msgspec.Struct, frozen=True):
    """How a watch asks for what stands before the fact it takes."""

    facts: Callable[[str], Iterable[Fact]]  # a stream's chain by sequence, from its opening
    from_day: Callable[[str], Iterable[str]]  # the streams of the same table, this one and later ones, in order
    held: Callable[[str], Sequence[Link]] = _nothing  # the chain of what verifiers wrote about a stream
    beside_property: Callable[[str], bool] = _always  # whether a stream and the property's are in one order

    def answering(self) -> "Record":
        """The same; where it cannot be read, that is told apart from a fault of who asks."""
        asked = {name: answering(getattr(self, name)) for name in ("facts", "from_day", "held")}
        return msgspec.structs.replace(self, **asked)


def corrected(fact: Fact, told: Sequence[Corrected] | None) -> Fact | None:
    """The fact as it should have been entered; None where it never happened.

    Of several corrections the last holds. One nobody can read changes nothing, not even what was corrected before it.
    """
    for correction in () if isinstance(fact, Corrected) else reversed(told or ()):
        if correction.reads is msgspec.UNSET:
            return None
        if (read := _reading(fact, correction.reads)) is not None:
            return read
    return fact


def unfit(fact: Fact, told: Iterable[Corrected]) -> list[Corrected]:
    """Those of its corrections that say what the fact cannot have."""
    return [correction for correction in told if _is_unfit(fact, correction)]


def also(known: Corrections, correction: Corrected) -> None:
    """One more is known."""
    held = known.get(correction.corrects_sequence, ())
    if correction not in held:
        known[correction.corrects_sequence] = tuple(sorted((*held, correction), key=_place))


def corrections(record: Record, stream: str, before: Corrected | None = None) -> Corrections:
    """What had been corrected of a day before this correction came, or by now."""
    found: Corrections = {}
    for name in record.from_day(stream):
        for fact in record.facts(name):
            if before is not None and fact.stream == before.stream and fact.sequence >= before.sequence:
                return found
            if isinstance(fact, Corrected) and fact.corrects_stream == stream and within_reach(fact):
                also(found, fact)
    return found


def told_by(facts: Iterable[Fact]) -> dict[str, Corrections]:
    """What these facts correct, by stream."""
    found: dict[str, Corrections] = {}
    for fact in facts:
        if isinstance(fact, Corrected) and within_reach(fact):
            also(found.setdefault(fact.corrects_stream, {}), fact)
    return found


def within_reach(correction: Corrected) -> bool:
    """Whether it is about what its own table had recorded before it: anything else is nobody's to correct."""
    of, here = correction.corrects_stream, correction.stream
    return owner(of) == owner(here) and (of, correction.corrects_sequence) < (here, correction.sequence)


def unreadable(record: Record, correction: Corrected) -> Finding | None:
    """The finding about a correction that is not read; none about one that is."""
    if not (why := _why_not(record, correction)):
        return None
    fact = f"fact {correction.corrects_sequence} of {correction.corrects_stream}"
    says = f"The correction of {fact} is not read: {why}."
    return of_the_record(UNREADABLE, correction, says, [correction])


def _why_not(record: Record, correction: Corrected) -> str:
    stream, sequence = correction.corrects_stream, correction.corrects_sequence
    if not within_reach(correction):
        return "it is another table's" if owner(stream) != owner(correction.stream) else "it had not happened yet"
    fact = None
    for fact in record.facts(stream):
        if fact.sequence >= sequence:
            break
    if fact is None or fact.sequence < sequence:  # it may still come, and then the correction is read
        return "there is no such fact"
    if isinstance(fact, Corrected):
        return "it is a correction itself; what that one is about is to be corrected again"
    if correction.reads is msgspec.UNSET or not _is_unfit(fact, correction):
        return ""
    wrong = [name for name, value in correction.reads.items() if _reading(fact, {name: value}) is None]
    return f"it cannot have what is said of its {' and '.join(wrong or correction.reads).replace('_', ' ')}"


def _is_unfit(fact: Fact, correction: Corrected) -> bool:
    if isinstance(fact, Corrected):
        return True
    return correction.reads is not msgspec.UNSET and _reading(fact, correction.reads) is None


def _place(fact: Fact) -> tuple[str, int]:
    return fact.stream, fact.sequence


def _reading(fact: Fact, reads: Mapping[str, Any]) -> Fact | None:
    """The fact with these fields, its place kept; none where it cannot have them."""
    fields: dict[str, Any] = msgspec.structs.asdict(fact)
    place = {name: fields[name] for name in ("stream", "sequence", "previous", "source", "source_key")}
    try:
        return msgspec.convert({**fields, **reads, **place}, type(fact), strict=True)
    except msgspec.ValidationError:
        return None
