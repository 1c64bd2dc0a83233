"""Write the days of docs/examples/days, and a page beside each with its facts in words."""

import re
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec

from domain.facts.codec import encode, name_of
from domain.facts.deal import CardBurned
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted, WagerCollected, WagerPaid, WagerReturned
from domain.facts.shuffles import ShuffleCompleted
from domain.facts.table_day import TableOpened
from domain.facts.wagers import BetsClosed, WagerPlaced
from domain.games import BOOKS
from domain.rulebooks import newest
from domain.simulation import property_stream
from domain.simulation.days import PlayedTableDay
from domain.simulation.floor import SimulatedFloor
from domain.simulation.houses import METHODS
from domain.simulation.seed import World
from domain.table.fact_text import told
from tests.citations import ROOT

DAYS = ROOT / "docs/examples/days"
ROUNDS = 4
FROM = {("COL", "automated-shoe"): 8}  # the first seed: in those before, two wagers are open to a ruling


def day(book: str, method: str) -> list[Fact]:
    """A whole lawful day of few rounds in which everything is recorded: the first seed whose rounds have three players."""
    for seed in count(FROM.get((book, method), 1)):
        floor = SimulatedFloor(World(seed=seed, tables=3, games=(book,), mishaps=0))
        gaming_day = floor.world.start
        plans = [plan for plan in floor._plans(gaming_day) if plan.setup.method == method]
        for planned in plans:
            setup = msgspec.structs.replace(planned.setup, table="T1", unrecorded=(), unseen_wagers=(), reading="all")
            plan = msgspec.structs.replace(planned, setup=setup)
            facts = [fact for piece in PlayedTableDay(plan).pieces() for fact in piece]
            ends = [fact.at for fact in facts if isinstance(fact, RoundCompleted)]
            if len(ends) < ROUNDS:
                continue
            day = PlayedTableDay(msgspec.structs.replace(plan, closes_at=ends[ROUNDS - 1]))
            found = list(property_stream.opened(floor.world, gaming_day, [setup]))
            for piece in day.pieces():
                found += property_stream.with_vault(piece)
            found += property_stream.closed(floor.world, gaming_day, 2)
            if _many_play(found):
                return found
    raise AssertionError


def _many_play(facts: list[Fact]) -> bool:
    seats = {fact.seat for fact in facts if isinstance(fact, WagerPlaced)}
    rounds = sum(isinstance(fact, RoundCompleted) for fact in facts)
    return len(seats) >= 3 and ROUNDS <= rounds <= ROUNDS + 1


def page(title: str, facts: list[Fact]) -> str:
    """The page beside a day: each line of the file in words, by stream and round."""
    lines = [f"# {title}", "", "Each line of the file beside this page, in words.", ""]
    part = None
    for number, fact in enumerate(facts, start=1):
        if (here := _part(fact)) != part:
            part = here
            lines += ["", f"## {here}", "", "| line | type | what happened |", "|---|---|---|"]
        lines.append(f"| {number} | `{name_of(fact)}` | {told(fact).replace('|', '/')} |")
    return "\n".join(lines) + "\n"


def _part(fact: Fact) -> str:
    if fact.stream.startswith("property") or name_of(fact).startswith("property-"):
        return "The property"
    return f"Round {fact.round}" if fact.round else "Between the rounds"


def _line(fact: Fact) -> bytes:
    """The line that a device sends: an opening without the digest of its edition, which the gateway fills in."""
    line = encode(fact)
    return re.sub(rb'"book_digest":"[0-9a-f]{64}",', b"", line) if isinstance(fact, TableOpened) else line


def overpaid(facts: list[Fact]) -> list[Fact]:
    """The first wager that is paid gets $20 too much."""
    at = _first(facts, lambda fact: isinstance(fact, WagerPaid))
    return _replaced(facts, at, cents=facts[at].cents + 2000)


def burn_left_out(facts: list[Fact]) -> list[Fact]:
    """The burn before the flop of the second round is not made."""
    at = _first(facts, lambda fact: isinstance(fact, CardBurned) and fact.round == 2)
    return facts[:at] + facts[at + 1 :]


def bet_after_no_more_bets(facts: list[Fact]) -> list[Fact]:
    """The dealer's "no more bets" of the second round comes before its last wager."""
    at = _first(facts, lambda fact: isinstance(fact, BetsClosed) and fact.round == 2)
    return [*facts[: at - 1], facts[at], facts[at - 1], *facts[at + 1 :]]


def paid_out_of_turn(facts: list[Fact]) -> list[Fact]:
    """A losing wager of the first round is returned instead of collected."""
    at = _first(facts, lambda fact: isinstance(fact, WagerCollected) and fact.round and fact.reason == "")
    lost = facts[at]
    fields = {name: getattr(lost, name) for name in ("seat", "wager", "cents", *Fact.__struct_fields__)}
    return [*facts[:at], WagerReturned(**fields), *facts[at + 1 :]]


def one_card_short(facts: list[Fact]) -> list[Fact]:
    """The shuffler counts 51 cards, and the deck stays in play."""
    at = _first(facts, lambda fact: isinstance(fact, ShuffleCompleted) and fact.counted == 52)
    return _replaced(facts, at, counted=51)


# The file, the lawful day it is made from, what is wrong, and the finding it raises.
WRONG: dict[str, tuple[str, Callable[[list[Fact]], list[Fact]]]] = {
    "wrong-overpaid": ("uth-md-manual-shoe", overpaid),
    "wrong-burn-left-out": ("uth-ma-hand", burn_left_out),
    "wrong-late-bet": ("fah-manual-shoe", bet_after_no_more_bets),
    "wrong-lost-wager-returned": ("pik-hand", paid_out_of_turn),
    "wrong-count": ("col-hand", one_card_short),
}


def _first(facts: list[Fact], wanted: Callable[[Fact], Any]) -> int:
    return next(at for at, fact in enumerate(facts) if wanted(fact))


def _replaced(facts: list[Fact], at: int, **fields: Any) -> list[Fact]:
    return [*facts[:at], msgspec.structs.replace(facts[at], **fields), *facts[at + 1 :]]


def write(name: str, title: str, facts: list[Fact]) -> None:
    """Write a day and its page."""
    (DAYS / f"{name}.jsonl").write_bytes(b"".join(_line(fact) + b"\n" for fact in facts))
    (DAYS / f"{name}.md").write_text(page(title, facts))


if __name__ == "__main__":
    made = {}
    for book in BOOKS:
        for method in METHODS[book]:
            name = f"{book.lower()}-{method}"
            made[name] = day(book, method)
            write(name, f"A lawful day of {newest(book).title}, {method}", made[name])
    for name, (base, change) in WRONG.items():
        write(name, f"{(change.__doc__ or '').rstrip('.')}: {base}", change(made[base]))
