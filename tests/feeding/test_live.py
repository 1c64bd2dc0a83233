"""The same doubts while a feed is recorded: one finding of the record, the same by whichever watcher, and no other."""

from functools import cache

import msgspec
import pytest

from domain.facts.codec import decode
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.facts.table_day import TableClosed
from domain.facts.wagers import WagerPlaced
from domain.facts.watching import Corrected
from domain.ledger.writer import InputRefusal, Writer, located, place
from domain.watch.record import FindingRaised, FindingRevised, FindingWithdrawn
from domain.watch.record import decode as decode_record
from tests.feeding.days import WHOLE, day
from tests.feeding.mismapped import MISMAPPED, read, written
from tests.watching.memory import MemoryLog, Watched, undisturbed

CODE = "feed-doubtful"


@cache
def recorded(game: str, name: str = "") -> tuple[bytes, ...]:
    """The record of a day, lawful or mapped wrongly."""
    text = day(game, WHOLE[game][0])
    writer = Writer(epoch=1)
    lines = (written(MISMAPPED[name][0](read(text))) if name else text).splitlines()
    return tuple([_placed(writer, decode(line)) for line in lines])


def doubts(findings: MemoryLog) -> list[FindingRaised]:
    """The records about doubtful feeds, in order."""
    found = map(decode_record, findings.stored)
    return [record for record in found if isinstance(record, FindingRaised) and record.code == CODE]


@pytest.mark.parametrize("game", WHOLE)
def test_a_lawful_feed_raises_no_doubt(game: str) -> None:
    assert CODE not in Watched(MemoryLog(recorded(game))).take().codes()


@pytest.mark.parametrize(
    "name", ["wagers in dollars", "cards never seen", "seats from the wrong side", "one device's clock in another zone"]
)
def test_a_doubtful_feed_is_one_finding_early_in_the_day(name: str) -> None:
    found = doubts(Watched(MemoryLog(recorded("COL", name))).take().findings)
    assert len({record.finding for record in found}) == 1
    assert not isinstance(found[0], FindingRevised)
    assert (found[0].round or 0) <= 24
    assert "Send " in found[0].says or "Map " in found[0].says or "Number " in found[0].says


def test_a_correction_counts_its_day_again() -> None:
    """One corrected wager of many leaves the doubt as it is."""
    facts = [decode(stored) for stored in recorded("COL", "wagers in dollars")]
    wager = next(fact for fact in facts if isinstance(fact, WagerPlaced))
    writer, stored = Writer(epoch=1), []
    for fact in facts:
        bare = msgspec.structs.replace(fact, sequence=0, previous="")
        if isinstance(fact, TableClosed):
            told = Corrected(wager.stream, wager.sequence, at=fact.at, source="eye", source_key="1", stream="T1")
            stored.append(_placed(writer, told))
        stored.append(_placed(writer, msgspec.structs.replace(bare, stream=owner(fact.stream))))
    found = Watched(MemoryLog(stored)).take().findings
    (doubt,) = {record.finding for record in doubts(found)}
    withdrawn = [record for record in map(decode_record, found.stored) if isinstance(record, FindingWithdrawn)]
    assert doubt not in [record.finding for record in withdrawn]


def _placed(writer: Writer, fact: Fact) -> bytes:
    whole = located(writer, fact)
    assert not isinstance(whole, InputRefusal), whole
    return place(writer, whole).stored


def test_every_watcher_writes_the_same_and_a_restart_anywhere_adds_nothing() -> None:
    facts = recorded("COL", "wagers in dollars")
    expected = undisturbed(facts)
    assert [record.code for record in doubts(MemoryLog(expected))] == [CODE]
    log = MemoryLog(facts)
    watched = Watched(log)
    for count in (400, 300, 1, 500, len(facts)):
        watched.take(count)
        findings = watched.findings
        watched = Watched(log, findings)
    assert watched.take().findings.stored == expected
