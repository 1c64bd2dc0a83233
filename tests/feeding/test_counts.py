"""The counts of a feed keep no more than the newest rounds need, whatever names its sources send."""

from itertools import count

import msgspec

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.payments import RoundCompleted
from domain.facts.table_day import TableOpened
from domain.feed.counts import REMEMBERED_ROUNDS
from domain.watch.feed_watch import FeedCompanion
from domain.watch.verifier import Verifier
from tests.feeding.days import WHOLE, day


def _facts() -> list[Fact]:
    return [decode(line) for line in day("COL", WHOLE["COL"][0], hours=8).splitlines()]


def test_sources_with_a_new_name_in_each_fact_are_forgotten_with_their_rounds() -> None:
    verifier, numbers, most = Verifier("T1/2026-11-18"), count(), 0
    counted = FeedCompanion(verifier)
    verifier.goes_with(counted)
    for fact in _facts():
        fresh = fact if isinstance(fact, TableOpened) else msgspec.structs.replace(fact, source=f"new-{next(numbers)}")
        verifier.take(fresh)
        if isinstance(fact, RoundCompleted) and counted.counts.rounds == REMEMBERED_ROUNDS:
            most = len(counted.counts.sources)
    assert counted.counts.rounds > 3 * REMEMBERED_ROUNDS
    assert 0 < len(counted.counts.sources) < 1.5 * most, "of the newest rounds only"
    assert not counted.counts.spoke, "no device of the opening spoke"


def test_a_device_of_the_opening_that_spoke_is_known_to_the_end() -> None:
    verifier = Verifier("T1/2026-11-18")
    counted = FeedCompanion(verifier)
    verifier.goes_with(counted)
    for fact in _facts():
        verifier.take(fact)
    opened = verifier.day.opened
    assert opened is not None
    assert counted.counts.spoke <= {device.device for device in opened.devices}
    assert counted.counts.spoke == {each.source for each in _facts() if each.round} & {
        each.device for each in opened.devices
    }
