"""Facts that come in another order: what is found in the end does not go by it."""

from collections.abc import Sequence
from random import Random

import pytest

from domain.facts.codec import decode as fact_of
from domain.facts.property_day import PropertyOpened
from domain.facts.watching import Corrected, Noted
from domain.watch.corrected import UNREADABLE
from domain.watch.finding import Finding
from domain.watch.record import OF_THE_LOG, FindingRaised, FindingWithdrawn, apply, decode
from tests.watching.memory import MemoryLog, Watched
from tests.watching.pits import Pit, delay, repeat, spoilt


def standing(stored: Sequence[bytes]) -> dict[str, Finding]:
    """The findings in the end, except that a fact was missing."""
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


@pytest.mark.parametrize("seed", range(4))
def test_a_correction_of_a_fact_that_comes_late_is_read_once_it_is_there(seed: int) -> None:
    """Till then its absence is a finding; in the end the findings equal those of a log without delay."""
    stored = Pit(seed, tables=1, days=2, rounds=2, corrections=6).record()
    facts = [fact_of(each) for each in stored]
    about = [each for each in facts if isinstance(each, Corrected) and each.corrects_stream < each.stream]
    first = about[0]
    late = next(
        place
        for place, fact in enumerate(facts)
        if (fact.stream, fact.sequence) == (first.corrects_stream, first.corrects_sequence)
    )
    delayed = [each for place, each in enumerate(stored) if place != late]
    delayed.append(stored[late])
    assert standing(delayed) == standing(stored)
    told = [decode(each) for each in Watched(MemoryLog(delayed)).take().findings.stored]
    names = {each.finding for each in told if isinstance(each, FindingRaised) and each.code == UNREADABLE}
    gone = {each.finding for each in told if isinstance(each, FindingWithdrawn)}
    waited = names - set(standing(stored))
    assert waited
    assert waited <= gone


def test_a_correction_in_the_propertys_stream_of_what_a_table_recorded_is_a_finding() -> None:
    pit = Pit(1, tables=1, days=1, rounds=1, corrections=0)
    stored = pit.record()
    told = pit.told["property"][0]
    wrong = Corrected("T1/2026-11-18", 2, {"round": 1}, at=told.at, source="office", source_key="c", stream="property")
    later = [
        PropertyOpened("2026-11-19", 0, "Pit", at=told.at, source="o", source_key="next", stream="property"),
        wrong,
    ]
    stored += [each for fact in later for each in pit._placed(fact)]
    (found,) = (each for each in standing(stored).values() if each.stream.startswith("property"))
    assert (found.code, found.stream) == (UNREADABLE, "property/2026-11-19")
    assert found.says == "The correction of fact 2 of T1/2026-11-18 is ignored: that fact belongs to another table."


def test_a_correction_of_the_property_that_waits_behind_a_gap_is_about_what_waits_before_it() -> None:
    """With the fact that fills the gap, which the log before it does not have."""
    pit = Pit(1, tables=1, days=1, rounds=1, corrections=0)
    stored = pit.record()
    (told, _) = pit.told["property"]
    opened = PropertyOpened("2026-11-19", 0, "Pit", at=told.at, source="o", source_key="next", stream="property")
    notes = [Noted("x", at=told.at, source="o", source_key=f"n{n}", stream="property") for n in range(2)]
    right = Corrected(
        "property/2026-11-19", 3, {"text": "y"}, at=told.at, source="office", source_key="c", stream="property"
    )
    first, missing, *waiting = (each for fact in (opened, *notes, right) for each in pit._placed(fact))
    delayed = [*stored, first, *waiting, missing]
    assert standing(delayed) == standing(stored)
    assert not [each for each in Watched(MemoryLog(delayed)).take().codes() if each == UNREADABLE]


@pytest.mark.parametrize("seed", [0, 5, 7, 9])
def test_a_correction_told_after_its_day_is_over_folds_the_earlier_day_it_is_about(seed: int) -> None:
    """In whatever order the days come, the same stands in the end."""
    stored = Pit(seed, tables=3, days=3, rounds=3).record()
    assert standing(spoilt(seed, stored, kinds=(delay, repeat))) == standing(stored)
