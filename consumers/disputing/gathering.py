"""Gather a dispute pack from the record and, if there is one, the case."""

from collections.abc import Iterable
from importlib.metadata import version

from consumers.disputing.case_told import claim_of, clocks_of, head_of, last_word, ruling_of, video_of
from consumers.disputing.window import DisputeWindow, window
from consumers.logs.log import Log
from consumers.watching.finding_hands import NoSuchHandError, rebuilt
from domain.clauses import UnknownClauseError, clause
from domain.desk.case import Case
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.property_day import PropertyOpened
from domain.facts.streams import PROPERTY
from domain.money import total
from domain.table.round import RoundInPlay
from domain.watch.reconstruction import Reconstruction
from domain.watch.verifier import Verifier
from projections.export.report.disputed import Dispute, Neighbour
from projections.export.report.moments import of_micros
from projections.export.report.told import ReportEdition
from projections.export.zones import zone_of


def gathered(
    log: Log,
    verifier: Verifier,
    told: RoundInPlay,
    *,
    seat: int | None = None,
    case: Case | None = None,
    jurisdiction: str = "",
) -> tuple[Dispute, DisputeWindow]:
    """The pack without its evidence, and its stretch of the record."""
    if not told.over and verifier.day.closed is None:
        raise NoSuchHandError(f"{told.stream} round {told.number} is still being played")
    whole = rebuilt(verifier, [told])[0]
    seats = [each.seat for each in whole.seats]
    if seat is not None and seat not in seats:
        raise NoSuchHandError(f"{told.stream} round {told.number} has no hand at seat {seat}; it has {_listed(seats)}")
    before, after = (verifier.day.rounds.get(number or 0) for number in (whole.previous, whole.next))
    stretch = window(log, told, before, after)
    opened = verifier.day.opened
    name = opened.zone if opened else "UTC"
    zone = zone_of(name)
    claim = None if case is None else claim_of(case)
    head = None if case is None else head_of(case)
    newest = [of_micros(stretch.last_at), *filter(None, [None if case is None else last_word(case)])]
    happened = of_micros(whole.began).astimezone(zone).date()
    dispute = Dispute(
        property=_property(log, told.stream.partition("/")[2]),
        zone=name,
        software=f"catwalk {version('catwalk')}",
        as_of=max(newest),
        to_sequence=stretch.last,
        head=stretch.head,
        hand=whole,
        edition=_edition(verifier, told),
        clauses=_clauses(whole, seat),
        seat=seat,
        neighbours=tuple(_neighbours(verifier, before, after)),
        around=stretch.around,
        case=head,
        claim=claim,
        ruling=None if case is None else ruling_of(case),
        at_the_table=stretch.rulings,
        clocks=clocks_of(jurisdiction or (head.jurisdiction if head else ""), happened, claim, zone),
        video=video_of(case, stretch.facts, zone),
    )
    return dispute, stretch


def _edition(verifier: Verifier, told: RoundInPlay) -> ReportEdition:
    """The edition of the rule book that the day names and was judged by."""
    opened = verifier.day.opened
    digest = opened.book_digest if opened else told.house.book.digest
    book = told.house.book
    title = book.title if book.shipped else f"{book.title}, not shipped with this software"
    return ReportEdition(told.book, title, digest[:12], digest)


def _neighbours(verifier: Verifier, before: RoundInPlay | None, after: RoundInPlay | None) -> Iterable[Neighbour]:
    for relation, told in (("before", before), ("after", after)):
        if told is None:
            continue
        (whole,) = rebuilt(verifier, [told])
        lines = [line for seat in whole.seats for line in seat.wagers]
        yield Neighbour(
            relation=relation,
            round=told.number,
            began=whole.began,
            ended=whole.ended,
            dealer=whole.dealer,
            void=whole.void,
            hands=len(whole.seats),
            staked_cents=total(line.staked_cents for line in lines),
            back_cents=total(line.handed_back_cents for line in lines),
            findings=len(whole.findings),
        )


def _clauses(whole: Reconstruction, seat: int | None) -> dict[str, str]:
    """The clauses that decide the wagers in question, with their sentences."""
    lines = (line for each in whole.seats if seat in (None, each.seat) for line in each.wagers)
    found: dict[str, str] = {}
    for name in dict.fromkeys(line.clause for line in lines if line.clause):
        try:
            found[name] = clause(name).gist
        except UnknownClauseError:
            found[name] = ""
    return found


def _property(log: Log, day: str) -> str:
    """The property's own name, from its day's opening."""
    for stream in reversed([name for name in log.streams(PROPERTY) if name <= f"{PROPERTY}/{day}"]):
        begins = log.begins(stream)
        first = log.read(begins.partition, begins.position - 1, 1) if begins else []
        try:
            opened = decode(first[0][1]) if first else None
        except UnreadableFactError:
            continue
        if isinstance(opened, PropertyOpened):
            return opened.property
    return ""


def _listed(seats: Iterable[int]) -> str:
    return ", ".join(map(str, seats)) or "none"
