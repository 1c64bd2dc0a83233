"""Weaving of incidents into a floor: which table-day takes which, and when each happens.

A stretch belongs to one incident, and some rounds behind it stay unchanged, so that no incident spoils another's
evidence. Facts are held back during a stretch; at its end they are edited and released together.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from domain.facts.deal import CardBurned, CardDealt, CardFoundFaceUp
from domain.facts.envelope import Fact
from domain.facts.payments import RoundVoided, WagerCollected, WagerPaid
from domain.facts.property_day import OptionsApproved
from domain.facts.shuffles import ShoeEmptied, ShoeLoaded
from domain.facts.streams import PROPERTY
from domain.facts.table_day import TableClosed
from domain.facts.table_money import InventoryCounted
from domain.simulation import shoes
from domain.simulation.edits import NothingToEditError
from domain.simulation.incidents.incident import Incident, StretchUnfitError
from domain.simulation.incidents.scene import PlayedStretch, Woven
from domain.simulation.incidents.settings import seen
from domain.simulation.pace import MINUTE
from domain.simulation.plans import RoundPlan
from domain.simulation.property_stream import OFFICE
from domain.simulation.table import Setup, TableInPlay
from domain.simulation.weaving import DayWeave, Facts, Today, Weave
from domain.table.deck import CONTINUOUS

_SHORT = 2  # rounds of a stretch that nothing else may disturb
_AWHILE = 30 * MINUTE
_Kinds = tuple[type[Fact], ...]
_DEALS = (CardDealt, CardBurned)
_LAST = ""  # the key of the count that no fact has ended
TRIES = 60  # rounds in which an incident may fail to fit on one table-day before it waits for another day


class Running(msgspec.Struct):
    """An incident in progress, and how many of its rounds were dealt."""

    incident: Incident
    dealt: int = 0


class IncidentDay(DayWeave):
    """One table's day. `wanted` is what may still happen here, `done` what has happened."""

    def __init__(
        self,
        today: Today,
        wanted: Iterable[Incident],
        stands: Setup | None = None,
        floor: Sequence[Today] = (),
    ) -> None:
        super().__init__(today)
        self._floor = floor  # every table's day begun so far
        self.wanted = list(wanted)
        self.done: list[Incident] = []
        self._stands = stands
        self._tries: dict[str, int] = {}
        self._stood: Setup | None = None  # the table's setup when last checked
        self._misfits: frozenset[str] = frozenset()  # incidents this setup excludes
        self._running: Running | None = None
        self._rest = 0
        self._held: Facts = []

    def setup(self, setup: Setup) -> Setup:
        """Return the setup the incidents need; all of them are about the record."""
        if self._stands is None:
            return setup
        parts = {name: getattr(setup, name) for name in ("gaming_day", "opens_at", "dealer", "floorperson")}
        return msgspec.structs.replace(self._stands, **parts)

    def opened(self, table: TableInPlay, facts: Facts) -> Facts:
        """Hold the opening back for the first round, because something may be wrong with both."""
        if self._stands is not None and self._stands.options != self.today.setup.options:
            facts = [self._approval(table, facts[0]), *facts]
        return self._told(facts, more=any(each.stretch != "round" for each in self.wanted))

    def _approval(self, table: TableInPlay, opens: Fact) -> Fact:
        """Approve today's options before the table opens, for this day: the table's approval stays in force beside."""
        setup = table.setup
        return OptionsApproved(
            setup.book,
            setup.options,
            f"{setup.table} {setup.gaming_day}",
            at=opens.at - MINUTE,
            source=OFFICE,
            source_key=table.post.key(OFFICE),
            stream=PROPERTY,
        )

    def told_between(self, table: TableInPlay, facts: Facts) -> Facts:
        """Add what happened between rounds to the open stretch; before the first round, to the opening."""
        return self._told(facts, more=self._running is not None or not table.rounds)

    def plan(self, table: TableInPlay, plan: RoundPlan) -> RoundPlan:
        """Return the plan to be dealt, and do what an incident needs before the round."""
        running = self._running
        if running is None:
            return _smooth(plan) if self._rest else self._begin(table, plan)
        plan, staging = _smooth(plan), running.incident.staging
        try:
            return plan if staging is None else staging(table, plan, running.dealt)
        except StretchUnfitError:
            return plan  # an intermediate round that cannot be arranged is played unchanged

    def refused(self, table: TableInPlay, plan: RoundPlan, why: str) -> None:
        """Note that the incident's arrangement cannot be dealt here; another round is tried."""
        running, self._running = self._running, None
        if running is not None:
            self._failed(running.incident)

    def played(self, table: TableInPlay, plan: RoundPlan, facts: Facts) -> Facts:
        """Take the round just dealt; an incident that is now complete edits its facts."""
        running = self._running
        if running is not None:
            running.dealt += 1
            if running.incident.stretch == "day" or running.dealt < running.incident.rounds:
                return self._told(facts, more=True)
            self._running = None
            return self._woven(running.incident, table, self._told(facts))
        told = self._told(facts)
        if self._rest:
            self._rest -= 1
            return told
        if plan.irregularity is not None or any(isinstance(fact, RoundVoided) for fact in facts):
            self._rest = 1  # an irregularity of its own takes its round and the next
            return told
        self._look_at(table)
        for each in self._shuffled(_at_once):
            done = len(self.done)
            told = self._woven(each, table, told)
            if len(self.done) > done:
                break
        return told

    def closed(self, table: TableInPlay, facts: Facts) -> Facts:
        """Close the day: edit what spans it, and release a stretch cut short."""
        running, self._running = self._running, None
        told, tray = self._told(facts), table.tray_cents
        if running is not None:
            told = self._woven(running.incident, table, told)
            return [_counted_with(fact, table.tray_cents - tray) for fact in told]
        for each in [each for each in self.wanted if each.stretch == "day"]:
            told = self._woven(each, table, told)  # the table kept this setup all day, with or without play
        return [_counted_with(fact, table.tray_cents - tray) for fact in told]

    def _told(self, facts: Facts, *, more: bool = False) -> Facts:
        """Return facts held back first; hold all back if more are to come."""
        held, self._held = [*self._held, *facts], []
        if not more:
            return held
        self._held = held
        return []

    def _begin(self, table: TableInPlay, plan: RoundPlan) -> RoundPlan:
        """Begin an incident that is arranged before its round or spans several, if one fits here."""
        self._look_at(table)
        for each in self._shuffled(lambda held: not _at_once(held)):
            if each.before > table.rounds or (each.stretch != "round" and table.rounds):
                continue
            if each.across and not self._another_plays(table):
                continue
            try:
                staged = plan if each.staging is None else each.staging(table, plan, 0)
            except StretchUnfitError:
                self._failed(each)
                continue
            self._running = Running(each)
            return staged
        return plan

    def _look_at(self, table: TableInPlay) -> None:
        """Check the table again, because devices fail and options change; misfits wait for another table."""
        stands = _stands_now(table)
        if stands != self._stood:
            self._stood = stands
            misfits = [each.name for each in self.wanted if stands_for(each, stands) != stands]
            self._misfits = frozenset(misfits)

    def _another_plays(self, table: TableInPlay) -> bool:
        """Return whether another table of the same game is open, and stays open for a while."""
        now, mine = table.post.at, self.today
        return any(
            other.table != mine.table
            and other.setup.book == mine.setup.book
            and other.opens_at + _AWHILE < now < other.closes_at - _AWHILE
            for other in self._floor
        )

    def _shuffled(self, wanted: Callable[[Incident], bool]) -> list[Incident]:
        held = [each for each in self.wanted if wanted(each) and each.name not in self._misfits]
        self.today.chance.shuffle(held)
        return held

    def _failed(self, incident: Incident) -> None:
        tries = self._tries[incident.name] = self._tries.get(incident.name, 0) + 1
        if tries >= TRIES:
            self.wanted.remove(incident)

    def _woven(self, incident: Incident, table: TableInPlay, facts: Facts) -> Facts:
        """Return the facts with the incident's edits, or unchanged if they do not qualify."""
        scene = PlayedStretch(incident, table, facts, self.today.chance)
        try:
            short = incident.stretch == "round" and incident.rounds <= _SHORT
            scene.wants(incident.void or not short or not scene.has(RoundVoided))
            woven = incident.edit(scene)
        except (StretchUnfitError, NothingToEditError):
            self._failed(incident)
            if incident.staging is not None:
                self._rest = _rest(incident)  # its arrangement was dealt anyway
            return facts
        told = _keyed(table, facts, woven)
        if table.method == CONTINUOUS:
            told = _put_back(facts, told)
        elif table.shoe is not None:
            told = _left_over(shoes.of(table), facts, told)
        table.tray_cents += _into_the_tray(told) - _into_the_tray(facts)
        self.labels += woven.labels
        self.done.append(incident)
        self.wanted.remove(incident)
        self._rest = _rest(incident)
        return told


def _rest(incident: Incident) -> int:
    """Return how many rounds stay quiet: after arranged cards, enough for another round of that deck."""
    return max(incident.quiet, 2) if incident.staging is not None else incident.quiet


def _smooth(plan: RoundPlan) -> RoundPlan:
    """Return the round without irregularities of its own."""
    return plan if plan.irregularity is None else msgspec.structs.replace(plan, irregularity=None)


def _keyed(table: TableInPlay, before: Sequence[Fact], woven: Woven) -> Facts:
    """Give new facts a key of their source like all others, so that nothing in the facts marks them."""
    known = {fact.source_key for fact in before}
    told = []
    for fact in woven.facts:
        if fact.source_key in known:
            known.discard(fact.source_key)
            told.append(fact)
        else:
            told.append(msgspec.structs.replace(fact, source_key=table.post.key(fact.source)))
    return told


def _put_back(before: Sequence[Fact], told: Facts) -> Facts:
    """Put as many more cards back into a shoe that shuffles as the edits had dealt from it, or as many fewer."""
    was, now = (_taken_before(facts, _DEALS, (ShoeLoaded,)) for facts in (before, told))
    return [_with_more(fact, now.get(fact.source_key, 0) - was.get(fact.source_key, 0), ShoeLoaded) for fact in told]


def _left_over(shoe: shoes.Shoe, before: Sequence[Fact], told: Facts) -> Facts:
    """Leave as many more cards in a shoe that is emptied as the edits did not take from it, or as many fewer."""
    takes, begins = (*_DEALS, CardFoundFaceUp), (ShoeLoaded, ShoeEmptied)
    was, now = (_taken_before(facts, takes, begins) for facts in (before, told))
    shoe.astray += was[_LAST] - now[_LAST]
    return [_with_more(fact, was.get(fact.source_key, 0) - now.get(fact.source_key, 0), ShoeEmptied) for fact in told]


def _taken_before(facts: Iterable[Fact], takes: _Kinds, begins: _Kinds) -> dict[str, int]:
    """Return the number of cards taken before each fact that restarts the count, by its key, and since the last."""
    found, taken = dict[str, int](), 0
    for fact in facts:
        if isinstance(fact, takes):
            taken += 1
        elif isinstance(fact, begins):
            found[fact.source_key], taken = taken, 0
    return {**found, _LAST: taken}


def _with_more(fact: Fact, more: int, kind: type[ShoeLoaded | ShoeEmptied]) -> Fact:
    """Return a fact of this kind with so many more cards, and any other as it is."""
    if not more or not isinstance(fact, kind) or fact.cards is None:
        return fact
    return msgspec.structs.replace(fact, cards=fact.cards + more)


def _at_once(incident: Incident) -> bool:
    """Return whether any round just dealt may qualify."""
    return incident.staging is None and incident.rounds == 1 and incident.stretch == "round"


def _into_the_tray(facts: Iterable[Fact]) -> int:
    """Return what these facts put into the tray, less what they took out."""
    into = sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerCollected))
    return into - sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerPaid))


def _counted_with(fact: Fact, more_cents: int) -> Fact:
    """Return a count of the tray at the close with the chips that the edits left there."""
    if not more_cents:
        return fact
    if isinstance(fact, InventoryCounted):
        return msgspec.structs.replace(fact, cents=max(0, fact.cents + more_cents))
    if isinstance(fact, TableClosed) and fact.closer_cents is not None:
        return msgspec.structs.replace(fact, closer_cents=max(0, fact.closer_cents + more_cents))
    return fact


class IncidentWeave(Weave):
    """A floor with incidents: each once in every game it can happen in, on the first table-day that fits."""

    def __init__(self, incidents: Iterable[Incident]) -> None:
        self.left: dict[str, list[Incident]] = {}
        for each in incidents:
            for book in each.books:
                self.left.setdefault(book, []).append(each)
        self._days: list[IncidentDay] = []
        self._floor: list[Today] = []

    def day(self, today: Today) -> DayWeave | None:
        """Return the day's weave: one pending incident decides the setup, and others that fit it may happen too."""
        self._floor.append(today)
        left = self.still_to_come(today.setup.book)
        today.chance.shuffle(left)
        for lead in left:
            stands = stands_for(lead, today.setup)
            if stands is None or lead.rounds > today.rounds:
                continue
            wanted = [lead]
            if lead.stretch != "day":
                wanted += [
                    each for each in left if each.stretch != "day" and each is not lead and _fits(each, stands, today)
                ]
            made = IncidentDay(today, wanted, stands, self._floor)
            self._days.append(made)
            return made
        return None

    def without_a_place(self, books: Iterable[str]) -> list[str]:
        """Return the requested incidents that did not happen: not reached in one of these games, or in none of them."""
        here = sorted(set(books))
        waits = [f"{each.name} ({book})" for book in here for each in self.still_to_come(book)]
        elsewhere = {each.name for held in self.left.values() for each in held if not set(each.books) & set(here)}
        return sorted(waits) + sorted(elsewhere)

    def still_to_come(self, book: str) -> list[Incident]:
        """Return the incidents still pending in this game."""
        for day in self._days:
            held = self.left.get(day.today.setup.book, [])
            for each in day.done:
                if each in held:
                    held.remove(each)
            day.done.clear()
        return list(self.left.get(book, ()))


def _stands_now(table: TableInPlay) -> Setup:
    """Return the table's current state as a setup."""
    options, parts = dict(table.options), {}
    if "shuffler" in table.out_of_use:
        options["shuffler"] = "none"
        parts["shuffler_loads_shoe"] = False
        if table.book != "FAH":
            options["decks"] = len(table.decks)
    return msgspec.structs.replace(table.setup, method=table.method, options=options, **parts)


def _fits(incident: Incident, stands: Setup, today: Today) -> bool:
    return incident.rounds <= today.rounds and stands_for(incident, stands) == stands


def stands_for(incident: Incident, setup: Setup) -> Setup | None:
    """Return the setup this incident needs, or None if it cannot happen there."""
    try:
        stands = seen(setup)
        return stands if incident.setting is None else incident.setting(stands)
    except StretchUnfitError:
        return None
