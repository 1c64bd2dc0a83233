"""Facts that can be read and cannot be true at their table, given what the table declared; pure, in order.

A fact that broke a rule of play is evidence and is never refused: an overpayment, a card out of order, a wager above
the posted limit. What is refused cannot have happened here: a wager or a decision of another game, a seat or a meter
that the table does not have. If it happened after all, a person vouches for the dead letter, and the fact goes on
record.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from typing import Any, get_args

import msgspec

from domain.facts import nearest
from domain.facts.catalogue import TYPES
from domain.facts.codec import name_of
from domain.facts.decisions import DecisionMade
from domain.facts.envelope import Cents, Fact
from domain.facts.property_day import PropertyOpened
from domain.facts.refused import Refused
from domain.facts.streams import is_stream, owner
from domain.facts.table_day import TableOpened
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset, WagerPlaced
from domain.games import GAMES
from domain.ledger.declared import TableDeclared, in_the_book, meters, offered
from domain.ledger.refusal_parts import with_parts
from domain.ledger.writer import InputRefusal, Writer, located

PLAUSIBLE_CENTS = 1_000_000_000  # $10,000,000.00: the most of one amount, unless the property states another limit
DAYS_OFF = 2  # between an opening and its gaming day: a zone, an opening on the eve, a day opened when it is over
_DAY = 86_400_000_000
_NEAR = 7 * _DAY  # of the gaming day: a time in the right unit
_FAR = 366 * _DAY  # of it: a time that may be in another unit
_FIRST = date(1970, 1, 1)
_UNITS = ((1_000_000, "seconds"), (1_000, "milliseconds"))
_BARE = tuple(name.partition(".")[0] for name in TYPES)


# The names of all time zones if this is none, or else nothing: the machine knows them.
ZonesBut = Callable[[str], Sequence[str]]


def implausible(
    fact: Fact, declared: TableDeclared | None, most_cents: int | None = None, *, zones_but: ZonesBut
) -> Refused | None:
    """Return why this located fact cannot be true at its table (the first rule that applies), or None.

    Without a declaration, the rules that need one do not apply.
    """
    most_cents = PLAUSIBLE_CENTS if most_cents is None else most_cents
    return next(_refusals(fact, declared, most_cents, zones_but), None)


def admitted(writer: Writer, fact: Fact, most_cents: int | None = None, *, zones_but: ZonesBut) -> Fact | Refused:
    """Return an input in its stream, or why a gateway refuses it. The source is not asked for."""
    whole = located(writer, fact)
    if isinstance(whole, InputRefusal):
        return unplaced(writer, fact, whole)
    return implausible(whole, writer.declared.get(owner(whole.stream)), most_cents, zones_but=zones_but) or whole


def _refusals(fact: Fact, declared: TableDeclared | None, most_cents: int, zones_but: ZonesBut) -> Iterator[Refused]:
    yield from _time(fact)
    if isinstance(fact, TableOpened | PropertyOpened):
        yield from _gaming_day(fact)
        yield from _zone(fact, zones_but(fact.zone))
    if isinstance(fact, TableOpened):
        yield from _names(fact)
    elif declared is not None:
        yield from _wager(fact, declared)
        yield from _decision(fact, declared)
        yield from _meter(fact, declared)
        yield from _seat(fact, declared)
    yield from _amounts(fact, most_cents)


def unplaced(writer: Writer, fact: Fact, why: InputRefusal) -> Refused:
    """Return the refusal of an input without a place: a time in another unit first, which may be the whole reason."""
    refused = with_parts(why.reason, why.says, fact)
    day = writer.days.get(owner(fact.stream))
    stream = day.stream if day is not None else fact.stream
    timed = next(_time(msgspec.structs.replace(fact, stream=stream)), None)
    if timed is None:
        return refused
    return msgspec.structs.replace(timed, says=f"{timed.says}; besides, {refused.says}")


def time_unit(at: int, near: int) -> tuple[str, int] | None:
    """Return the unit in which a far-off time is near this moment, and the time in microseconds; None if it is none."""
    if abs(at - near) <= _FAR:
        return None
    for factor, unit in _UNITS:
        if abs(at * factor - near) <= _NEAR:
            return unit, at * factor
    return ("nanoseconds", at // 1_000) if abs(at // 1_000 - near) <= _NEAR else None


def _time(fact: Fact) -> Iterator[Refused]:
    day = fact.stream.partition("/")[2] if is_stream(fact.stream) else ""
    found = time_unit(fact.at, (date.fromisoformat(day) - _FIRST).days * _DAY) if day else None
    if found is None:
        return
    unit, right = found
    allowed = "a time is in whole microseconds since 1970-01-01 UTC"
    more = f", and for the gaming day {day} these are {unit}"
    yield _refused("time-unit", fact, "at", str(fact.at), allowed, cure=str(right), more=more)


def _gaming_day(fact: TableOpened | PropertyOpened) -> Iterator[Refused]:
    begins = (date.fromisoformat(fact.gaming_day) - _FIRST).days * _DAY
    if begins - DAYS_OFF * _DAY <= fact.at <= begins + (1 + DAYS_OFF) * _DAY:
        return
    right = (_FIRST + timedelta(days=fact.at // _DAY)).isoformat()
    allowed = f"it must be within {DAYS_OFF} days of the opening's time: at is {fact.at}, which is {right} in UTC"
    came, cure = _quoted(fact.gaming_day), _quoted(right)
    refused = _refused("gaming-day-implausible", fact, "gaming_day", came, allowed, cure=cure)
    yield msgspec.structs.replace(refused, says=f"{refused.says}, if at is right")


def _zone(fact: TableOpened | PropertyOpened, others: Sequence[str]) -> Iterator[Refused]:
    if others:
        allowed = "it must be a time zone of the IANA database, such as America/New_York"
        # A bare abbreviation, such as MST, has no daylight saving time, so it is an hour off all summer.
        places = tuple(each for each in others if "/" in each and not each.startswith("Etc/"))
        near = _quoted(nearest.word(fact.zone, places))
        yield _refused("zone-unknown", fact, "zone", f'"{fact.zone}"', allowed, cure=near)


def _names(fact: TableOpened) -> Iterator[Refused]:
    for place, name in enumerate(fact.unrecorded):
        if name not in _BARE:
            allowed = "it must be the name of a type of fact, without its version"
            near = _quoted(nearest.word(name.partition(".")[0], _BARE))
            yield _refused("fact-type-unknown", fact, f"unrecorded[{place}]", _quoted(name), allowed, cure=near)
    mine = in_the_book(fact.book)
    for field, wagers in (("unseen_wagers", fact.unseen_wagers), ("limits", tuple(fact.limits))):
        for place, wager in enumerate(wagers):
            if wager not in mine:
                at = f"{field}[{place}]" if field == "unseen_wagers" else f"{field} (name)"
                yield _of_another_book(fact, at, wager, fact.book)


def _wager(fact: Fact, declared: TableDeclared) -> Iterator[Refused]:
    wager = getattr(fact, "wager", None)
    if wager is None:
        return
    mine = in_the_book(declared.book)
    if wager not in mine:
        yield _of_another_book(fact, "wager", wager, declared.book)
    elif isinstance(fact, WagerPlaced) and not fact.area and wager not in (here := offered(declared)):
        taken = ", ".join(each for each in mine if each in here)
        allowed = f"this table's options offer {taken}"
        # Chips seen in the area of such a wager are evidence: the layout has that area, whatever the opening says.
        more = (
            ": correct the mapping or the opening's options, or send area if the chips were seen in that wager's area"
        )
        yield _refused("wager-not-offered", fact, "wager", _quoted(wager), allowed, more=more)


def _decision(fact: Fact, declared: TableDeclared) -> Iterator[Refused]:
    mine = GAMES[declared.book].decisions
    if isinstance(fact, DecisionMade) and fact.decision not in mine:
        allowed = f"{declared.book} has {', '.join(mine)}"
        near = _quoted(nearest.word(fact.decision, mine))
        yield _refused("decision-not-in-book", fact, "decision", _quoted(fact.decision), allowed, cure=near)


def _meter(fact: Fact, declared: TableDeclared) -> Iterator[Refused]:
    if not isinstance(fact, MeterRead | MeterIncremented | MeterReset) or fact.meter in (mine := meters(declared)):
        return
    allowed = f"this table has the meters {', '.join(mine)}" if mine else f"{declared.book} has no progressive meters"
    near = _quoted(nearest.word(fact.meter, mine))
    yield _refused("meter-not-here", fact, "meter", _quoted(fact.meter), allowed, cure=near)


def _of_another_book(fact: Fact, field: str, wager: str, book: str) -> Refused:
    mine = in_the_book(book)
    allowed = f"{book} has {', '.join(mine)}"
    return _refused("wager-not-in-book", fact, field, _quoted(wager), allowed, cure=_quoted(nearest.word(wager, mine)))


def _seat(fact: Fact, declared: TableDeclared) -> Iterator[Refused]:
    seat = getattr(fact, "seat", None)
    if seat is not None and seat > declared.positions:
        allowed = f"this table opened with the seats 1 to {declared.positions}"
        more = ": count the seats from the dealer's left, from 1"
        yield _refused("seat-not-here", fact, "seat", str(seat), allowed, more=more)


def _amounts(fact: Fact, most_cents: int) -> Iterator[Refused]:
    for field in _money(type(fact)):
        for at, cents in _cents_in(getattr(fact, field), field):
            if cents > most_cents:
                allowed = f"this property takes amounts of at most {most_cents} cents (${most_cents // 100:,})"
                more = ": write whole cents, or state most_cents in property-opened.1"
                yield _refused("amount-implausible", fact, at, str(cents), allowed, more=more)


def _cents_in(given: Any, at: str) -> Iterator[tuple[str, int]]:
    """Yield each amount in a value of money, with its path."""
    if isinstance(given, Mapping):
        for name, part in given.items():
            yield from _cents_in(part, f"{at}.{name}")
    elif isinstance(given, msgspec.Struct):
        for field in _money(type(given)):
            yield from _cents_in(getattr(given, field), f"{at}.{field}")
    elif given is not None:
        yield at, given


@cache
def _money(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """Return the fields of a type that are amounts: alone, by name, or within an object."""
    if kind is PropertyOpened:
        return ()  # it states the limit
    return tuple(field.encode_name for field in msgspec.structs.fields(kind) if _is_money(field.type))


def _is_money(kind: Any) -> bool:
    if kind == Cents or (isinstance(kind, type) and issubclass(kind, msgspec.Struct) and _money(kind)):
        return True
    return any(_is_money(part) for part in get_args(kind))


def _refused(code: str, fact: Fact, field: str, came: str, allowed: str, *, cure: str = "", more: str = "") -> Refused:
    name = name_of(fact)
    says = f"{name}: {field} is {came}, and {allowed}{more}" + (f": write {cure}" if cure else "")
    return Refused(code, says, name, field, came, allowed, cure)


def _quoted(text: str) -> str:
    return f'"{text}"' if text else ""
