"""Incidents woven into one table-day while it is dealt.

A stretch belongs to one incident alone, and behind it some rounds stay as they are, so that none spoils another's
evidence. `TableWeaving` is asked before and after every round and when the table has closed; until a stretch is over
the facts since its beginning must stay at the table's post.
"""

from collections.abc import Callable, Iterable, Sequence
from random import Random

import msgspec

from domain.facts.envelope import Fact
from domain.facts.payments import WagerCollected, WagerPaid
from domain.floor.edits import NothingToEditError
from domain.floor.plans import RoundPlan
from domain.floor.table import Table
from domain.incidents.incident import Incident, NotHereError
from domain.incidents.scene import Scene, Woven
from domain.scoring import Label

TRIES = 60  # rounds of one table-day in which an incident may fail to fit before it waits for another day


class Running(msgspec.Struct):
    """An incident in its stretch: where that begins, and how many of its rounds were dealt."""

    incident: Incident
    start: int
    dealt: int = 0


class TableWeaving:
    """One table's day. `wanted` is what may still happen here; what has happened is in `done` and `labels`."""

    def __init__(self, table: Table, wanted: Iterable[Incident], chance: Random) -> None:
        self.table = table
        self.chance = chance
        self.wanted = list(wanted)
        self.labels: list[Label] = []
        self.done: list[Incident] = []
        self._tries: dict[str, int] = {}
        self._running: Running | None = None
        self._rest = 0
        self._start = 0

    @property
    def holds(self) -> bool:
        """Whether facts told already may still be changed."""
        return self._running is not None or not self.table.rounds

    def before_round(self, plan: RoundPlan) -> RoundPlan:
        """The plan as it is to be dealt; what an incident has happen before the round, happens now."""
        self._start = len(self.table.post.facts)
        running = self._running
        if running is None:
            return plan if self._rest else self._begin(plan)
        staging = running.incident.staging
        return plan if staging is None else staging(self.table, plan, running.dealt)

    def after_round(self) -> None:
        """The round just dealt: an incident that is complete now changes what was told of it."""
        running = self._running
        if running is not None:
            running.dealt += 1
            if running.incident.stretch != "day" and running.dealt >= running.incident.rounds:
                self._finish()
        elif self._rest:
            self._rest -= 1
        else:
            for each in self._shuffled(_at_once):
                if self._weave(each, self._start):
                    return

    def after_close(self) -> None:
        """The day is over: what spans it is edited now, and a stretch that was cut short as far as it came."""
        if self._running is not None:
            self._finish()

    def _begin(self, plan: RoundPlan) -> RoundPlan:
        """An incident that is arranged before its round or spans several, if one can begin here."""
        for each in self._shuffled(lambda held: not _at_once(held)):
            if each.stretch != "round" and self.table.rounds:
                continue
            if each.before > self.table.rounds:
                continue
            try:
                staged = plan if each.staging is None else each.staging(self.table, plan, 0)
            except NotHereError:
                self._failed(each)
                continue
            self._running = Running(each, self._start if each.stretch == "round" else 0)
            return staged
        return plan

    def _finish(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._weave(running.incident, running.start)

    def _shuffled(self, wanted: Callable[[Incident], bool]) -> list[Incident]:
        held = [each for each in self.wanted if wanted(each)]
        self.chance.shuffle(held)
        return held

    def _failed(self, incident: Incident) -> None:
        tries = self._tries[incident.name] = self._tries.get(incident.name, 0) + 1
        if tries >= TRIES:
            self.wanted.remove(incident)

    def _weave(self, incident: Incident, start: int) -> bool:
        """Whether the incident found what it needs; then it has happened."""
        facts = self.table.post.facts
        try:
            woven = incident.edit(Scene(incident, self.table, facts[start:], self.chance))
        except (NotHereError, NothingToEditError):
            self._failed(incident)
            return False
        told = self._keyed(facts[start:], woven)
        self.table.tray_cents += _into_the_tray(told) - _into_the_tray(facts[start:])
        facts[start:] = told
        if told:
            self.table.post.at = max(self.table.post.at, told[-1].at)
        self.labels += woven.labels
        self.done.append(incident)
        self.wanted.remove(incident)
        self._rest = incident.quiet
        return True

    def _keyed(self, before: Sequence[Fact], woven: Woven) -> list[Fact]:
        """What is new bears a key of its source like everything else: nothing in the facts tells it apart."""
        known = {fact.source_key for fact in before}
        told = []
        for fact in woven.facts:
            if fact.source_key in known:
                known.discard(fact.source_key)
                told.append(fact)
            else:
                told.append(msgspec.structs.replace(fact, source_key=self.table.post.key(fact.source)))
        return told


def _at_once(incident: Incident) -> bool:
    """Whether any round just dealt may turn out to be the right one."""
    return incident.staging is None and incident.rounds == 1 and incident.stretch == "round"


def _into_the_tray(facts: Iterable[Fact]) -> int:
    """What these facts put into the tray, less what they took out of it."""
    into = sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerCollected))
    return into - sum(fact.cents or 0 for fact in facts if isinstance(fact, WagerPaid))
