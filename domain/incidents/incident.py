"""An incident: findings with one root cause, with its people, its money, its rounds, and whether it needs a human."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from domain.clauses import SEVERITIES
from domain.incidents.decisions import Decision
from domain.incidents.grouping import groups
from domain.incidents.item import Item
from domain.incidents.scale import DEFAULT, HumanScale
from domain.spoken import number_of

Span = tuple[str, int, int]  # a stream, and its first and last round
Won = Callable[[Sequence[Span]], Sequence[int | None]]  # what players won beyond expectation in each of these
_MANY = 2  # findings that a sentence sums up instead of naming


class FoundIncident(msgspec.Struct, frozen=True, kw_only=True):
    """One root cause, as far as the findings tell. Any finding's id finds it; its own id is that of the first one."""

    incident: str
    stream: str
    findings: tuple[Item, ...]
    primary: Item
    from_round: int | None
    to_round: int | None
    from_at: int
    to_at: int
    seats: tuple[int, ...]
    dealers: tuple[str, ...]
    decks: tuple[str, ...]
    too_much_cents: int
    too_little_cents: int
    exposure_cents: int | None  # None if unknown
    needs_human: str  # the reason, or nothing

    @property
    def error_cents(self) -> int:
        """All settlement errors, whichever way they went; a wager that several findings name counts once."""
        return self.too_much_cents + self.too_little_cents

    @property
    def severity(self) -> str:
        """The gravest severity of its findings."""
        return min((item.severity for item in self.findings), key=SEVERITIES.index)

    @property
    def span(self) -> Span | None:
        """The rounds in which money may have been won: None if it is about no rounds, or about procedure only."""
        if self.from_round is None or self.to_round is None or self.severity not in ("money", "integrity"):
            return None
        return self.stream, self.from_round, self.to_round

    @property
    def rounds(self) -> int:
        """The number of rounds that its findings are about, each once."""
        stretches = ((item.round, item.last_round) for item in self.findings)
        found: set[int] = set()
        for first, last in stretches:
            if first is not None and last is not None:
                found.update(range(first, last + 1))
        return len(found)

    @property
    def gravity(self) -> tuple[int, int, int, int, str]:
        """The sort key: what needs a human first, then money, then severity, then the oldest."""
        money = max(self.error_cents, self.exposure_cents or 0)
        return (not self.needs_human, -money, SEVERITIES.index(self.severity), self.from_at, self.incident)

    @property
    def says(self) -> str:
        """One plain sentence about all of it."""
        if self.rounds < _MANY or self.error_cents == 0:
            return self.primary.says
        way = "too much" if self.too_much_cents >= self.too_little_cents else "too little"
        where = f"from {self.from_round} to {self.to_round}"
        seats = f", at seat {self.seats[0]}" if len(self.seats) == 1 else ""
        dealt = f", each dealt by {self.dealers[0]}" if len(self.dealers) == 1 else ""
        return f"Handed back {way} in {number_of(self.rounds, 'round')}, {where}{seats}{dealt}."

    @property
    def because(self) -> str:
        """The reason why these findings are one incident, in words."""
        codes: dict[str, int] = {}
        for item in self.findings:
            codes[item.code] = codes.get(item.code, 0) + 1
        counts = ", ".join(f"{code.replace('-', ' ')} {many}" for code, many in codes.items())
        if len(self.findings) == 1:
            return "One finding."
        if self.rounds < _MANY:
            return f"All findings are of one round: {counts}."
        return f"Few rounds lie between findings with the same cause: {counts}."


def incidents(
    items: Iterable[Item],
    decisions: Iterable[Decision] = (),
    *,
    scale: HumanScale = DEFAULT,
) -> list[FoundIncident]:
    """Return the incidents of these findings, in the order of their first finding."""
    return [_incident(group, scale) for group in groups(items, decisions)]


def valued(found: Sequence[FoundIncident], won: Won, scale: HumanScale = DEFAULT) -> list[FoundIncident]:
    """Return these incidents with what players won in their rounds, and whether each needs a human then."""
    spans = sorted({each.span for each in found if each.span is not None})
    by_span = dict(zip(spans, won(spans), strict=True))
    return [_weighed(each, 0 if each.span is None else by_span[each.span], scale) for each in found]


def _weighed(told: FoundIncident, exposure_cents: int | None, scale: HumanScale) -> FoundIncident:
    exposed = msgspec.structs.replace(told, exposure_cents=exposure_cents)
    return msgspec.structs.replace(exposed, needs_human=_why_human(exposed, scale))


def _incident(items: Sequence[Item], scale: HumanScale) -> FoundIncident:
    rounds = [item for item in items if item.round is not None]
    first = min((item.round for item in rounds if item.round is not None), default=None)
    last = max((item.last_round for item in rounds if item.last_round is not None), default=None)
    much, little = _errors(items)
    made = FoundIncident(
        incident=items[0].finding,
        stream=items[0].stream,
        findings=tuple(items),
        primary=min(items, key=_primacy),
        from_round=first,
        to_round=last,
        from_at=min(item.at for item in items),
        to_at=max(item.at for item in items),
        seats=tuple(sorted({item.seat for item in items if item.seat is not None})),
        dealers=tuple(sorted({item.dealer for item in items} - {""})),
        decks=tuple(sorted({item.deck for item in items} - {""})),
        too_much_cents=much,
        too_little_cents=little,
        exposure_cents=None,
        needs_human="",
    )
    return _weighed(made, None, scale)


def _primacy(item: Item) -> tuple[bool, int, int, tuple[str, int, int, str]]:
    """Sort causes before what follows from them, then by severity, then by money, then by order."""
    return item.cause == "other", SEVERITIES.index(item.severity), -abs(item.difference_cents or 0), item.order


def _errors(items: Sequence[Item]) -> tuple[int, int]:
    """Return what was handed back in excess and what was short, each wager of a round once."""
    wagers: dict[tuple[int | None, int | None, str], int] = {}
    for item in items:
        off = item.difference_cents
        if off is not None and item.severity == "money":
            key = (item.round, item.seat, item.wager)
            wagers[key] = max(wagers.get(key, 0), off, key=abs)
    offs = wagers.values()
    return sum(off for off in offs if off > 0), -sum(off for off in offs if off < 0)


def _why_human(told: FoundIncident, scale: HumanScale) -> str:
    """Return the first line of the scale that this incident fits, in words; or nothing."""
    codes = {item.code for item in told.findings}
    if codes <= set(scale.never):
        return ""
    named = sorted(codes & set(scale.always))
    if named:
        return f"{named[0].replace('-', ' ')}: always"
    if told.error_cents >= scale.error_cents:
        return "settled wrong, by an amount that the scale names"
    if (told.exposure_cents or 0) >= scale.exposure_cents:
        return "won beyond expectation, by an amount that the scale names"
    grave = [item for item in told.findings if item.severity in scale.severities and item.basis == "certain"]
    if grave:
        return f"{grave[0].code.replace('-', ' ')}: {grave[0].severity}"
    if told.rounds >= scale.rounds:
        return f"the same in {number_of(told.rounds, 'round')}"
    return ""
