"""Facts that come in another order: what is found in the end does not go by it."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.facts.codec import decode as fact_of
from domain.facts.watching import Corrected
from domain.watch.corrected import UNREADABLE
from domain.watch.finding import Finding
from domain.watch.record import OF_THE_LOG, apply, decode
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit, delay, repeat, spoilt


def standing(stored: Sequence[bytes]) -> dict[str, Finding]:
    """What stands in the end, that something had been missing apart."""
    found: dict[str, Finding] = {}
    for record in Watched(MemoryLog(stored)).take().findings.stored:
        apply(found, decode(record))
    return {name: finding for name, finding in found.items() if finding.code not in OF_THE_LOG - {UNREADABLE}}


@pytest.mark.parametrize("seed", range(6))
def test_a_correction_that_waits_behind_a_gap_folds_the_whole_day_again(seed: int) -> None:
    """With the fact that fills the gap, which the log before it does not have."""
    stored = Pit(seed, tables=1, days=1, rounds=4, corrections=4).record()
    corrections = [place for place, each in enumerate(stored) if isinstance(fact_of(each), Corrected)]
    chance = Random(seed)  # noqa: S311 - a seed, so that a failure repeats
    late = chance.randrange(5, corrections[-1])
    delayed = stored.copy()
    delayed.insert(chance.randrange(corrections[-1] + 1, len(stored)), delayed.pop(late))
    assert standing(delayed) == standing(stored)


@pytest.mark.parametrize("seed", [0, 5, 7, 9])
def test_a_correction_told_after_its_day_is_over_folds_the_earlier_day_it_is_about(seed: int) -> None:
    """In whatever order the days come, the same stands in the end."""
    stored = Pit(seed, tables=3, days=3, rounds=3).record()
    assert standing(spoilt(seed, stored, kinds=(delay, repeat))) == standing(stored)
