"""Progressive meters: each must equal the sum of its contributions, awards and resets."""

from domain.facts.envelope import Fact
from domain.facts.payments import WagerPaid
from domain.facts.table_day import TableClosed
from domain.facts.wagers import MeterIncremented, MeterRead, MeterReset
from domain.money import dollars, total
from domain.table.day import TableDay
from domain.table.round import RoundInPlay
from domain.watch.detecting import Found, judge, watch
from domain.watch.finding import found
from domain.watch.laws import law
from domain.watch.owed import meters_before, worked_out
from domain.watch.round_order import raised

METER = law("meter-wrong", {"rate": "UTH-MD 12.D(3)(a)", "stand": "UTH-MD 12.D(4)"})


@judge(METER, needs=(MeterIncremented,))
def meters_rise_by_their_rate(told: RoundInPlay) -> Found:
    """Check that each contribution adds to the meter's last amount, at the house's rate of the wagers."""
    if not told.meters or told.voided:
        return
    running: dict[str, int | None] = {**meters_before(told)}
    risen: dict[str, int] = {}
    for fact in sorted(_of_meters(told), key=lambda fact: fact.sequence):
        if isinstance(fact, MeterIncremented):
            risen[fact.meter] = risen.get(fact.meter, 0) + fact.by_cents
            stood = running.get(fact.meter)
            due = total((stood, fact.by_cents))  # unknown if nobody recorded this meter
            if fact.cents is not None and due is not None and fact.cents != due:
                rose = f"{dollars(stood)} and rose by {dollars(fact.by_cents)} to {dollars(fact.cents)}"
                yield from raised(told, METER, "rate", fact, f"The {fact.meter} meter stood at {rose}.")
            running[fact.meter] = due if fact.cents is None else fact.cents
        else:
            running[fact.meter] = fact.cents
    yield from _against_the_rate(told, risen)


def _of_meters(told: RoundInPlay) -> list[MeterIncremented | MeterRead | MeterReset]:
    return [*told.of(MeterIncremented), *told.of(MeterRead), *told.of(MeterReset)]


def _against_the_rate(told: RoundInPlay, risen: dict[str, int]) -> Found:
    rates = told.house.options.get("progressive.rates") or {}
    stakes = [spot.wagers["progressive"] for spot in told.wagering if "progressive" in spot.wagers]
    if any(stake.staked is None for stake in stakes):
        return
    placed = [stake.placed[0] for stake in stakes if stake.placed]
    for meter, rate in rates.items():
        singly = sum((stake.staked or 0) * rate // 100 for stake in stakes)
        together = sum(stake.staked or 0 for stake in stakes) * rate // 100
        rose = risen.get(meter, 0)
        if rose in (singly, together):
            continue
        facts = [fact for fact in told.of(MeterIncremented) if fact.meter == meter]
        shows: Fact | None = facts[-1] if facts else placed[0] if placed else None
        says = f"The {meter} meter rose by {dollars(rose)} in this round, but its rate gives {dollars(singly)}."
        if shows is not None:
            yield from raised(told, METER, "rate", shows, says, expected=singly, observed=rose, evidence=placed)


@judge(METER, needs=(MeterReset, MeterRead))
def meters_fall_by_their_awards(told: RoundInPlay) -> Found:
    """Check that an award leaves the meter at the rest or at its reset, and that it falls only after an award."""
    if told.voided:
        return
    made = worked_out(told)
    after, before = made.settlement.meters_after, made.played.meters or {}
    resets = told.of(MeterReset)
    if after is None:
        return
    awards = [paid for paid in told.of(WagerPaid) if paid.wager == "progressive" and paid.cents]
    for meter, due in after.items():
        facts: list[MeterRead | MeterReset] = [fact for fact in told.of(MeterRead) if fact.meter == meter]
        facts += [fact for fact in resets if fact.meter == meter]
        first = awards[0].sequence if awards else None
        stands = max(
            (fact for fact in facts if first is not None and fact.sequence > first),
            key=lambda fact: fact.sequence,
            default=None,
        )
        if due == before.get(meter):
            reset = next((fact for fact in resets if fact.meter == meter), None)
            if reset is not None and reset.cents != due:
                says = f"The {meter} meter was reset to {dollars(reset.cents)} without an award."
                yield from raised(told, METER, "stand", reset, says, expected=due, observed=reset.cents)
        elif stands is None and awards:
            says = f"The {meter} meter paid an award and was not set to {dollars(due)} after it."
            yield from raised(
                told, METER, "stand", _award(awards, meter), says, expected=due, observed=before.get(meter)
            )
        elif stands is not None and stands.cents != due:
            says = f"After its award, the {meter} meter showed {dollars(stands.cents)} instead of {dollars(due)}."
            yield from raised(told, METER, "stand", stands, says, expected=due, observed=stands.cents, evidence=awards)


def _award(awards: list[WagerPaid], meter: str) -> WagerPaid:
    return next((paid for paid in awards if paid.meter == meter), awards[0])


@watch(MeterRead, laws=(METER,), needs=(MeterIncremented, MeterReset))
def meters_stand_where_they_were_left(day: TableDay, fact: MeterRead) -> Found:
    """Check that a meter reading matches its last known amount, less any award since."""
    told, stood = day.round, day.meters.get(fact.meter)
    if stood is None or stood == fact.cents:
        return
    if told is not None and not told.over and any(paid.wager == "progressive" for paid in told.of(WagerPaid)):
        return
    says = f"The {fact.meter} meter read {dollars(fact.cents)}, but its last amount was {dollars(stood)}."
    yield found(METER, METER.cites(day.book, "stand"), fact, says, expected=stood, observed=fact.cents)


@watch(TableClosed, laws=(METER,), needs=(MeterIncremented, MeterReset, MeterRead))
def meters_close_where_they_stand(day: TableDay, fact: TableClosed) -> Found:
    """Check that the day closes with each meter at its last known amount."""
    wrong = {meter: cents for meter, cents in fact.meters_cents.items() if day.meters.get(meter, cents) != cents}
    if not wrong:
        return
    stood = {meter: day.meters[meter] for meter in wrong}
    each = (
        f"the {meter} meter at {dollars(cents)} instead of {dollars(stood[meter])}" for meter, cents in wrong.items()
    )
    says = f"The day closed with {', '.join(each)}."
    cites = METER.cites(day.book, "stand")
    yield found(METER, cites, fact, says, expected=sum(stood.values()), observed=sum(wrong.values()))
