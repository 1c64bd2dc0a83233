"""The doubts about a whole feed: what its lines say together, refused ones included, and what became of them."""

from collections.abc import Iterator, Mapping
from statistics import median_low

import msgspec

from domain.feed.doubts import DOUBTFUL, WRONG, Doubt
from domain.feed.likely import likely
from domain.feed.little import FEW, FEWEST_ROUNDS, LITTLE, JudgedDay, few_rounds_found, little_judged, why_little
from domain.feed.times import RIGHT, TEXT
from domain.rulebooks import HouseFinding
from domain.spoken import listed, number_of

_HOUR = 3_600_000_000  # microseconds
_MINUTE = _HOUR // 60
_DAY = 24 * _HOUR
_EARLY, _LATE = _HOUR // 2, 2 * _HOUR  # tables are made ready before the day begins, and counted after it ends
_FEWEST_TABLES = 4  # of which one can be unlike the others
_UNLIKE = 50  # no pit has a table whose wagers are fifty times another's: limits differ by ten or twenty times
_NAMED = 3  # tables in one sentence
_FARTHEST = 14 * _HOUR  # from UTC, of any zone
_FAR_DAY = "gaming-day-implausible"
# A refused line says nothing of its own where a time is wrong: the day was not opened, so nothing has a place.
_FOLLOWS = frozenset({"lines-refused", "nothing-judged", "clock-of-another-zone", _FAR_DAY, LITTLE, FEW})


class TimesSeen(msgspec.Struct):
    """The times of all lines, by the unit that makes them a time of this century."""

    units: dict[str, int] = {}
    sources: dict[str, set[str]] = {}  # those that used the unit
    facts: dict[str, list[str]] = {}  # some lines that did


class DaySeen(JudgedDay, frozen=True):
    """One table's or the property's day, as a whole feed tells it."""

    opened_at: int
    begins_at: int | None  # the start of the gaming day by its zone, if that is known
    last_at: int = 0
    found: Mapping[str, int] = {}  # rounds with a finding, by code
    options: tuple[HouseFinding, ...] = ()  # what is wrong with the options
    not_approved: str = ""  # what the record says of options that were not approved
    amounts_untold: bool = False  # wagers were placed, and no limit says how large they may be
    wagered_cents: int = 0  # of all wagers before the deal
    wagers: int = 0


class LinesSeen(msgspec.Struct, frozen=True):
    """The lines of a feed: how many there are, and how many are refused."""

    lines: int
    refused: int
    of_rounds: bool  # whether some say what happens in a round
    opening: str = ""  # where a refused opening came from
    # Openings that are refused: where they came from, and the refusal.
    zones: Mapping[str, str] = {}  # for their zone
    gaming_days: Mapping[str, str] = {}  # for their gaming day
    of_other_games: int = 0  # refused lines with a wager or decision that this game does not have


def feed_doubts(times: TimesSeen, days: list[DaySeen], seen: LinesSeen, of_rounds: list[Doubt]) -> list[Doubt]:
    """Return every doubt about a feed, the gravest first; `of_rounds` are those that its tables raise."""
    found = [*_units(times), *_opened_wrongly(days), *_options(days), *of_rounds, *_zones(days, seen), *_unlike(days)]
    if not found:
        found += _found_everywhere(days)
    nothing = list(_nothing(days, seen))
    found += nothing or [doubt for day in days for doubt in little_judged(day)]
    found += [doubt for day in days for doubt in few_rounds_found(day)]
    found += _refused(seen)
    if any(doubt.code.startswith("times-") for doubt in found):
        found = [doubt for doubt in found if doubt.code not in _FOLLOWS]
    return sorted(found, key=lambda doubt: doubt.severity != WRONG)


def _units(times: TimesSeen) -> Iterator[Doubt]:
    for unit, many in times.units.items():
        if unit == RIGHT:
            continue
        sources = ", ".join(sorted(times.sources[unit])[:3])
        right = times.units.get(RIGHT, 0)
        beside = f", and those of {right} lines are right" if right else ""
        facts = tuple(times.facts[unit])
        if unit:
            says = f"The times of {many} lines are in {unit}{beside} (from {sources})."
            yield Doubt(f"times-in-{unit}", WRONG, says, _cure(unit), facts)
        else:
            says = f"The times of {many} lines are in no unit a time from 2000 to 2100{beside} (from {sources})."
            yield Doubt("times-impossible", WRONG, says, _cure(unit), facts)


def _cure(unit: str) -> str:
    how = {
        "seconds": "multiply by 1,000,000",
        "milliseconds": "multiply by 1,000",
        "nanoseconds": "divide by 1,000",
        TEXT: "`catwalk map` converts times in text",
    }
    factor = f": {how[unit]}" if unit in how else ""
    return f"Send `at` in microseconds since 1970-01-01T00:00:00Z{factor}."


def _opened_wrongly(days: list[DaySeen]) -> Iterator[Doubt]:
    for day in days:
        if day.unjudged:
            says = f"No round of {day.stream} can be judged: {day.unjudged}."
            cure = (
                "Name the digest of an installed edition in the opening's `book_digest`: catwalk books list shows them."
            )
            yield Doubt("edition-unknown", WRONG, says, cure, (f"{day.stream}:1",))


def _options(days: list[DaySeen]) -> Iterator[Doubt]:
    for day in days:
        for one in day.options:
            says = f"{day.stream} has a wrong option: {one.says.partition(': it has ')[0]}."
            cure = f"Correct it in `options`: {one.cure or 'see ' + one.clause}."
            yield Doubt("options-wrong", WRONG, says, cure, (f"{day.stream}:1",), one.says)
        if day.not_approved:
            cure = "Send the options as approved, or the approval of these before the opening."
            yield Doubt("options-not-approved", DOUBTFUL, day.not_approved, cure, (f"{day.stream}:1",))


def _zones(days: list[DaySeen], seen: LinesSeen) -> Iterator[Doubt]:
    """Yield openings with an unknown zone or a far gaming day, and days that lie outside their own gaming day."""
    for where, says in seen.zones.items():
        yield Doubt("zone-unknown", WRONG, f"{says}.", "Correct `zone` in the opening.", (where,))
    for where, says in seen.gaming_days.items():
        cure = "Correct `gaming_day` in the opening, or the date of its `at`."
        yield Doubt(_FAR_DAY, WRONG, f"{says}.", cure, (where,))
    for day in days:
        if day.begins_at is None:
            continue
        early, late = day.begins_at - day.opened_at, day.last_at - day.begins_at - _DAY
        cure = "Send `at` in UTC, and the table's or property's own `zone` in the opening."
        if max(early, late) > _FARTHEST:
            cure = f"Correct `gaming_day` in the opening if it is another date. If it is right: {cure}"
        if early > _EARLY:
            says = f"{day.stream} has times {_span(early)} before the start of the gaming day."
            yield Doubt("clock-of-another-zone", WRONG, says, cure, (f"{day.stream}:1",))
        elif late > _LATE:  # one late fact is no proof
            says = f"{day.stream} has times {_span(late)} after the end of the gaming day."
            cure += " If the day was closed late, nothing is wrong."
            yield Doubt("clock-of-another-zone", DOUBTFUL, says, cure, (f"{day.stream}:1",))


def _span(span: int) -> str:
    return f"{span // _HOUR} h {span % _HOUR // _MINUTE:02} min"


def unchecked(days: list[DaySeen]) -> list[str]:
    """Return what the feed says too little of to be checked."""
    tables = [day for day in days if not day.stream.startswith("property/")]
    notes = []
    if few := [day for day in tables if 0 < day.rounds < FEWEST_ROUNDS]:
        rounds = few[0].rounds
        many = number_of(rounds, "round") if len(few) == 1 else f"fewer than {FEWEST_ROUNDS} rounds"
        at = "" if len(tables) == 1 else f" at {_some(few)}"
        verb = "is" if many == "1 round" else "are"
        notes.append(f"{many}{at} {verb} too few to tell units, seats or clocks: send at least {FEWEST_ROUNDS}")
    if untold := [day for day in tables if day.amounts_untold]:
        at = "" if len(tables) == 1 else f" at {_some(untold)}"
        notes.append(f"amounts cannot be checked{at}: the opening has no limits")
    notes += [note for day in tables if (note := why_little(day))]
    return notes


def _some(days: list[DaySeen]) -> str:
    more = [f"{len(days) - _NAMED} more tables"] if len(days) > _NAMED else []
    return listed([day.stream for day in days[:_NAMED]] + more)


def _unlike(days: list[DaySeen]) -> Iterator[Doubt]:
    averages = {day.stream: day.wagered_cents // day.wagers for day in days if day.wagers}
    if len(averages) < _FEWEST_TABLES:
        return
    for stream, average in averages.items():
        others = median_low([other for name, other in averages.items() if name != stream])
        if average * _UNLIKE <= others or average >= others * _UNLIKE:
            says = f"The average wager of {stream} is {average} cents; at the other tables it is {others} cents."
            cure = "Send every amount in cents, limits in the opening included: $25 is 2500."
            yield Doubt("amounts-unlike-other-tables", DOUBTFUL, says, cure, (f"{stream}:1",))


def _found_everywhere(days: list[DaySeen]) -> Iterator[Doubt]:
    for day in days:
        for code, rounds in day.found.items():
            if day.rounds >= FEWEST_ROUNDS and 2 * rounds > day.rounds:
                share = 100 * rounds // day.rounds
                says = f"{rounds} of {day.rounds} rounds of {day.stream} ({share} %) have the finding {code}."
                yield Doubt("finding-in-most-rounds", DOUBTFUL, says, likely(code), (f"{day.stream}:1",))


def _nothing(days: list[DaySeen], seen: LinesSeen) -> Iterator[Doubt]:
    """Yield a doubt if no table opens, or if there is play and no finished round; a table may have no play."""
    tables = [day for day in days if not day.stream.startswith("property/")]
    rounds = sum(day.rounds for day in tables)
    if rounds and seen.refused and not any(day.judged for day in tables):
        says = f"None of {number_of(rounds, 'finished round')} is fully judged, and lines are refused."
        yield Doubt("nothing-judged", WRONG, says, "Mend each cause in the list of refused lines.")
    elif not tables or (seen.of_rounds and not rounds):
        says = f"No round is finished in {seen.lines} lines, so nothing is judged."
        cure = "Send table-opened first, then each round from round-opened to round-completed with the same `round`."
        if not tables and seen.opening:
            cure = f"Mend the refused opening at {seen.opening} first."
        yield Doubt("nothing-judged", WRONG, says, cure)


def _refused(seen: LinesSeen) -> Iterator[Doubt]:
    if seen.refused:
        says = f"The gateway would refuse {seen.refused} of {seen.lines} lines."
        if other := seen.of_other_games:
            says += f" {other} of them {'has' if other == 1 else 'have'} a wager of another game, or a decision."
        severity = WRONG if other or 4 * seen.refused >= seen.lines else DOUBTFUL
        yield Doubt("lines-refused", severity, says, "Mend each cause in the list of refused lines.")
