"""`make bench`: what the hot paths do in a second, each beside its peer or its goal in the same run.

Seven-card rankings, rounds settled and where their time goes, facts decoded, appended to, read from either log and proved.
"""

import cProfile
import random
import sys
from collections.abc import Callable
from functools import partial
from os import cpu_count, getloadavg
from pathlib import Path
from time import process_time
from typing import Any

from phevaluator import evaluate_cards

from domain.cards import DECK
from domain.hands import standard
from domain.rulebooks import BOOKS, House
from domain.settlement import PlayedRound, settle
from tests.bench import (
    hands,
    kafka,
    latency,
    logs,
    one_pass,
    projecting,
    proving,
    questions,
    read_models,
    replay,
    sessions,
)
from tests.bench.rounds import SEATS, rounds

SEED = 20_241_118
HANDS = 200_000
ROUNDS = {"UTH-MA": 60_000, "UTH-MD": 60_000, "PIK": 20_000, "FAH": 20_000, "COL": 40_000}
GOAL = 60_000


def best_of(times: int, work: Callable[[], Any]) -> float:
    """The least processor time of some runs: what one core needs, whatever else the machine is doing."""
    shortest = float("inf")
    for _ in range(times):
        began = process_time()
        work()
        shortest = min(shortest, process_time() - began)
    return shortest


def rankings() -> None:
    """Seven-card rankings, ours and phevaluator's over the same hands in the same run."""
    chance = random.Random(SEED)  # noqa: S311 - repeatable hands
    hands = [tuple(chance.sample(DECK, 7)) for _ in range(HANDS)]
    ours = best_of(3, lambda: [standard.value(hand) for hand in hands])
    theirs = best_of(3, lambda: [evaluate_cards(*hand) for hand in hands])
    print(f"seven-card rankings   ours {HANDS / ours:>10,.0f}/s   phevaluator {HANDS / theirs:>10,.0f}/s", end="   ")
    print(f"ratio {theirs / ours:.2f}")


def settle_all(house: House, played: list[PlayedRound]) -> None:
    """Settles one round after the other, keeping none: as a replay does."""
    for each in played:
        settle(house, each)


def settlements() -> None:
    """Rounds settled per second on one core, the ranking of their hands included."""
    for book in BOOKS:
        house, played = rounds(book, ROUNDS[book], SEED)
        settle_all(house, played)  # every case of the hand tables is worked out once, before the clock starts
        rate = len(played) / best_of(4, partial(settle_all, house, played))
        goal = f"   goal {GOAL:,}: {rate / GOAL:.2f}" if book.startswith("UTH") else ""
        print(f"{book:<7} {SEATS} seats     {rate:>10,.0f} rounds/s on one core{goal}")


def where_the_time_goes() -> None:
    """A profile of UTH-MD rounds, by own time."""
    house, played = rounds("UTH-MD", 20_000, SEED)
    profile = cProfile.Profile()
    profile.runcall(settle_all, house, played)
    entries = profile.getstats()
    total = sum(entry.inlinetime for entry in entries)
    print("where the time of UTH-MD goes (own time, profiled):")
    for entry in sorted(entries, key=lambda entry: -entry.inlinetime)[:6]:
        code = entry.code
        name = code if isinstance(code, str) else f"{code.co_name} ({Path(code.co_filename).name})"
        print(f"  {entry.inlinetime / total:6.1%}  {name}")


def company() -> None:
    """Other processes at work on this machine."""
    says = f"load {getloadavg()[0]:.1f} on {cpu_count()} cores"
    print(f"{says}; appends and Kafka are timed by the clock and want an idle machine, all else by the processor")


if __name__ == "__main__":
    company()
    rankings()
    settlements()
    where_the_time_goes()
    logs.decoded()
    logs.embedded()
    proving.proved_rows()
    replay.replayed()
    kafka.in_kafka()
    read_models.large_day()
    projecting.projected()
    one_pass.one_pass(Path(sys.argv[1]).resolve() if sys.argv[1:] else None)
    latency.latency()
    questions.questions()
    sessions.sessions()
    hands.a_hand()
