"""Two ways to do the same, in turns on the same machine in the same run, and one line that says how they compare."""

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

TURNS = 4


def beside(
    what: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    *,
    count: int,
    peer: str,
    goal: float = 0,
    ratio_goal: float = 0,
    waits: bool = False,
) -> None:
    """Both in turns, the shortest run of each, in one line.

    What waits for disks or brokers is timed by the clock. All else by the processor, whatever else the machine does.
    """
    clock = perf_counter if waits else process_time
    took = [float("inf"), float("inf")]
    for _ in range(TURNS):
        for which, work in enumerate((ours, theirs)):
            began = clock()
            work()
            took[which] = min(took[which], clock() - began)
    rate, their_rate = (count / each for each in took)
    ratio = rate / their_rate
    goals = [f"goal {goal:,.0f}/s {met(rate >= goal)}"] if goal else []
    goals += [f"goal of the ratio {ratio_goal:.2f} {met(ratio >= ratio_goal)}"] if ratio_goal else []
    print(f"{what:<40} {rate:>9,.0f}/s   {peer:<21} {their_rate:>7,.0f}/s   ratio {ratio:.2f}   {', '.join(goals)}")


def met(reached: bool) -> str:
    """Whether a goal was reached, to be seen at once."""
    return "reached" if reached else "MISSED"
