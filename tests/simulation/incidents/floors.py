"""Seeded days of one table with incidents, and the watch's findings."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import msgspec

from domain.facts.envelope import Fact
from domain.facts.streams import PROPERTY, owner
from domain.facts.watching import Corrected
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.scoring import STATISTICAL, Label, Score, Scored, fits, score
from domain.simulation import opening
from domain.simulation.dealers import DEALERS
from domain.simulation.incidents.incident import Incident
from domain.simulation.incidents.weaving import IncidentDay
from domain.simulation.piles import shuffled
from domain.simulation.plans import RoundPlan, SeatPlan
from domain.simulation.table import Setup, TableInPlay
from domain.simulation.weaving import Today
from domain.watch.corrected import WatchedRecord, unreadable
from domain.watch.finding import Finding
from domain.watch.verifier import Verifier
from tests.watch.harness import recorded, verified
from tests.watch.together import Together

ROUNDS = 16


class Told(msgspec.Struct):
    """A day's facts, with the labels of its incidents."""

    facts: list[Fact]
    labels: list[Label]
    done: list[Incident]


def dealt(setup: Setup, wanted: Iterable[Incident], seed: int, rounds: int = ROUNDS) -> Told:
    """A day of this table: a few players who like side wagers, and chance shuffles."""
    chance = Random(f"{setup.book} {setup.method} {seed}")  # noqa: S311 - a seed, so that a day repeats
    table = TableInPlay(setup, chance)
    own = Random(f"incidents {seed}")  # noqa: S311 - the same
    today = Today(setup.table, setup.gaming_day, 0, setup, 0, 0, rounds, own)
    day = IncidentDay(today, wanted)
    opening.open_table(table)
    facts = day.opened(table, table.post.taken())
    players = sorted(chance.sample(range(1, setup.positions + 1), chance.randint(2, 4)))
    opening.begin(table, {seat: f"player-{seat}" for seat in players})
    for _ in range(rounds):
        seats = sorted(chance.sample(players, chance.randint(2, len(players))))
        plan = RoundPlan(tuple(SeatPlan(seat, wagers(table, chance)) for seat in seats))
        if table.book != "FAH":
            plan = msgspec.structs.replace(plan, shuffled=shuffled(table.deck.cards, chance))
        facts += day.told_between(table, table.post.taken())
        plan = day.plan(table, plan)
        DEALERS[table.book](table, plan)
        facts += day.played(table, plan, table.post.taken())
        table.post.at = max(table.post.at, facts[-1].at if facts else 0)
    facts += day.told_between(table, table.post.taken())
    opening.close_table(table)
    facts += day.closed(table, table.post.taken())
    return Told(facts, day.labels, day.done)


def wagers(table: TableInPlay, chance: Random) -> dict[str, int]:
    """A player's wagers: all that are required, and some of those offered."""
    house = table.house

    def often() -> bool:
        return chance.random() < 0.6

    ante = 500 * chance.randint(2, 10)
    if table.book == "FAH":
        return {"original": ante}
    if table.book == "PIK":
        return {"ante": ante, "bonus5": ante} | ({"bonus3": 500} if often() and house.offers("bonus3") else {})
    if table.book == "COL":
        return {"ante": ante} | ({"bonus": 100} if often() and house["bonus_offered"] else {})
    held = {"ante": ante, "blind": ante}
    if often():
        held["trips"] = 500 * chance.randint(1, 4)
        if house.options.get("six_card_table") and table.method == "automated-shoe" and often():
            held["six_card"] = 500
        if house.options.get("cover_all") and often():
            held["cover_all"] = 500
    for wager in ("ultimate_pairs", "bad_beat", "play_the_board"):
        if table.book == "UTH-MD" and house.offers(wager) and often():
            held[wager] = 500
    if house.options.get("progressive") and often() and (table.book == "UTH-MD" or "trips" in held):
        held["progressive"] = house["progressive.allowed"][0] if table.book == "UTH-MD" else 500
    return held


def found_in(facts: Sequence[Fact]) -> list[Finding]:
    """The findings when the day has been verified to its end."""
    return [*verified(facts), *_unread(recorded(facts) if any(isinstance(fact, Corrected) for fact in facts) else ())]


def _unread(placed: Iterable[Fact]) -> list[Finding]:
    """Findings about corrections of nothing that was at their table."""
    nothing = WatchedRecord(lambda _: (), lambda _: ())
    told = (unreadable(nothing, fact) for fact in placed if isinstance(fact, Corrected))
    return [finding for finding in told if finding is not None]


def watched(facts: Iterable[Fact]) -> list[Finding]:
    """The findings at the end of all tables' days, and between them."""
    writer, between = Writer(epoch=1), Together()
    verifiers: dict[str, Verifier] = {}
    unread: list[Finding] = []
    for fact in facts:
        whole = located(writer, fact)
        if isinstance(whole, InputRefusal):
            raise AssertionError(f"{fact}: {whole.says}")
        placed = place(writer, whole).fact
        between.take(placed)
        if owner(placed.stream) != PROPERTY:
            verifiers.setdefault(placed.stream, Verifier(placed.stream)).take(placed)
            unread += _unread((placed,))
    return [*(each for held in verifiers.values() for each in held.standing.values()), *between.found(), *unread]


def scored(labels: Iterable[Label], findings: Iterable[Finding]) -> Score:
    """Findings against labels, as `catwalk score` has it."""
    return score(list(labels), [_scored(finding) for finding in findings])


def inexact(labels: Iterable[Label], findings: Iterable[Finding]) -> list[tuple[Any, ...]]:
    """Labels of deterministic incidents that name no clause, or other amounts than every finding of theirs.

    An amount the label leaves out is one the finding must not have either.
    """
    held: dict[str, list[Scored]] = {}
    for finding in findings:
        held.setdefault(finding.code, []).append(_scored(finding))
    wrong: list[tuple[Any, ...]] = []
    for label in labels:
        own = label.own
        found = [each for each in held.get(own.code, ()) if fits(own, each)]
        if label.kind == STATISTICAL or not found:
            continue
        amounts = {(each.expected_cents, each.observed_cents) for each in found}
        if (own.expected_cents, own.observed_cents) not in amounts:
            wrong.append((label.incident, own.stream, own.first_round, own.expected_cents, own.observed_cents, amounts))
        if not own.clauses and own.code not in CITES_NOTHING:
            wrong.append((label.incident, own.stream, own.first_round, found[0].clauses))
    return wrong


# In no clause are an option that no rule book has and what is wrong with the record alone.
CITES_NOTHING = (
    "house-option-unknown",
    "correction-unreadable",
    "deck-elsewhere",
    "options-not-approved",
    "rule-book-unknown",
)


def _scored(finding: Finding) -> Scored:
    fields: dict[str, Any] = {name: getattr(finding, name) for name in Scored.__struct_fields__ if name != "finding"}
    return Scored(**fields, finding=finding.id)
