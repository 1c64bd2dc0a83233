"""The streams and rounds that a question selects, in the record at the checkpoint."""

from collections.abc import Iterable

import msgspec

from consumers.exporting.record import ExportableRecord
from domain.desk import case as cases
from domain.desk import review
from domain.facts.streams import PROPERTY, owner
from domain.facts.table_day import TableOpened
from domain.watch.record import FindingRaised, facts_of, finding_of
from projections.export.question import Scope
from projections.export.told import Rounds

_ACCESS = "access"


class NothingThereError(Exception):
    """A question that matches nothing at this checkpoint; the message says what there is instead."""


class Selection(msgspec.Struct):
    """Selected streams, or selected rounds of streams, with what belongs to them."""

    scope: Scope
    whole: set[str] = set()  # streams of facts
    rounds: dict[str, set[int]] = {}  # by stream of facts, if rounds are selected
    besides: dict[str, set[int]] = {}  # by stream, facts that show a chosen finding
    findings: set[str] = set()  # findings chosen by name
    desk: list[str] = []

    def may_be_in_part(self, stream: str) -> bool:
        """Whether a stream may hold a selected round."""
        if self.scope.player:
            day = stream.partition("/")[2]
            return owner(stream) != PROPERTY and self.scope.has_day(day) and self.scope.has_table(owner(stream))
        return stream in self.rounds or stream in self.besides


def selected(record: ExportableRecord, scope: Scope, reader: str) -> Selection:
    """The selection of a scope. `reader` is the person who asks, because a sealed case is not for everyone."""
    found = Selection(scope)
    if scope.finding:
        _by_findings(record, found, {scope.finding})
    elif scope.case:
        _by_case(record, found, reader)
    elif scope.round is not None:
        stream, number = scope.round
        if not record.has("facts", stream):
            raise NothingThereError(f"the checkpoint covers no stream {stream}. {_known(record.streams('facts'))}")
        told = Rounds()
        numbers = sorted({told.of(fact) for fact in record.records("facts", stream)} - {0})
        if number not in numbers:
            there = f"It has rounds {numbers[0]} to {numbers[-1]}." if numbers else "It has no rounds."
            raise NothingThereError(f"{stream} has no round {number}. {there}")
        found.rounds[stream] = {number}
    elif scope.player:
        if not any(map(found.may_be_in_part, record.streams("facts"))):
            raise NothingThereError(f"no table's day matches the request. {_known(record.streams('facts'))}")
    else:
        _by_days(record, found)
    return found


def _by_days(record: ExportableRecord, found: Selection) -> None:
    scope = found.scope
    streams = record.streams("facts")
    if unknown := set(scope.tables) - set(map(owner, streams)):
        raise NothingThereError(f"the checkpoint covers no table {min(unknown)}. {_known(streams)}")
    for stream in streams:
        table, _, day = stream.partition("/")
        if not scope.has_day(day):
            continue
        if table == PROPERTY:
            if not scope.tables and not scope.games:
                found.whole.add(stream)
        elif scope.has_table(table) and (not scope.games or _game(record, stream) in scope.games):
            found.whole.add(stream)
    if scope.access:
        found.desk = [name for name in record.streams("desk") if _is_access(name, scope)]
    if not found.whole and not found.desk:
        raise NothingThereError(f"nothing on record matches the request. {_known(streams)}")


def _is_access(stream: str, scope: Scope) -> bool:
    kind, _, day = stream.partition("/")
    return kind == _ACCESS and scope.has_day(day)


def _game(record: ExportableRecord, stream: str) -> str:
    opened = record.first(stream)
    return opened.book if isinstance(opened, TableOpened) else ""


def _by_case(record: ExportableRecord, found: Selection, reader: str) -> None:
    number = found.scope.case
    stream = cases.stream_of(number)
    if not record.has("desk", stream):
        raise NothingThereError(
            f"the checkpoint covers no case {number}: check its number in the list of cases; a case opened or "
            "changed later is in the next checkpoint"
        )
    held = cases.fold(number, record.records("desk", stream))
    if not cases.seen_by(held, reader):
        raise NothingThereError(f"case {number} is sealed, and {reader} may not read it")
    found.desk = [stream, *(name for each in held.findings if record.has("desk", name := review.stream_of(each)))]
    found.desk.sort()
    for hand in held.hands:
        if record.has("facts", hand.of_stream):
            found.rounds.setdefault(hand.of_stream, set()).add(hand.of_round)
    if held.findings:
        _by_findings(record, found, set(held.findings))


def _by_findings(record: ExportableRecord, found: Selection, names: set[str]) -> None:
    """Search the log of findings for findings with these names."""
    missing = set(names)
    for stream in record.streams("findings"):
        if not missing:
            break
        told = {
            each.finding: each
            for each in record.records("findings", stream)
            if isinstance(each, FindingRaised) and each.finding in names
        }
        missing -= told.keys()
        for each in told.values():
            _chosen(found, each)
    if missing:
        raise NothingThereError(f"the checkpoint covers no finding {min(missing)}")
    found.findings = names


def _chosen(found: Selection, finding: FindingRaised) -> None:
    about = finding.about or finding.stream
    found.besides.setdefault(about, set()).update((finding.trigger, *finding.evidence))
    if finding.round is not None:
        found.rounds.setdefault(about, set()).update(finding_of(finding).rounds)
    other, _, sequence = finding.beside.rpartition(":")
    if other:
        found.besides.setdefault(other, set()).add(int(sequence))


def of_findings(record: ExportableRecord, found: Selection) -> Iterable[str]:
    """The streams of findings, and of their seals, about a selected stream of facts."""
    chosen = found.whole or found.rounds.keys() | found.besides.keys()
    return [stream for stream in record.streams("findings") if not chosen.isdisjoint(facts_of(stream))]


def _known(streams: list[str]) -> str:
    tables = sorted({owner(stream) for stream in streams} - {PROPERTY})
    days = sorted({stream.partition("/")[2] for stream in streams})
    if not tables:
        return "It covers no table yet."
    named = ", ".join(tables[:12]) + (", …" if len(tables) > 12 else "")
    return f"It covers {len(tables)} tables ({named}), {days[0]} to {days[-1]}."
