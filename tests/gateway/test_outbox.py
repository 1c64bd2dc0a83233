"""Heads that an outbox shows a doctor: those the log has acknowledged, and no others."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from consumers.gateway.outbox import heads
from consumers.logs.log import StoredFact
from domain.facts.codec import decode
from domain.ledger.chain import digest
from tests.gateway.floor import day, lines
from tests.gateway.test_gateway import CrashError, MemoryLog, closed, gateway, sent


class Late(MemoryLog):
    """A log that goes away in the middle of a batch, some of which it has."""

    has = 0

    def append_once(self, facts: Sequence[StoredFact]) -> None:
        super().append_once(facts[: self.has])
        raise CrashError


def test_the_head_of_a_stream_is_its_last_fact_when_all_is_acknowledged(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    one.take(sent(lines(day())))
    closed(one)
    stored = log.stream("T7/2026-11-18")
    assert heads(tmp_path / "outbox.sqlite") == {"T7/2026-11-18": (len(stored), digest(stored[-1]))}


@pytest.mark.parametrize("folder", ["pit#1", "pit?mode=memory", "half full 50%20"])
def test_the_heads_are_told_whatever_the_folder_is_called(tmp_path: Path, folder: str) -> None:
    """A doctor that finds no outbox under such a name calls a cut tail whole."""
    one = gateway(tmp_path / folder, MemoryLog())
    one.take(sent(lines(day())))
    closed(one)
    assert list(heads(tmp_path / folder / "outbox.sqlite") or {}) == ["T7/2026-11-18"]


def test_heads_are_not_told_while_a_gateway_is_at_work(tmp_path: Path) -> None:
    one = gateway(tmp_path, MemoryLog())
    one.take(sent(lines(day())))
    assert heads(tmp_path / "outbox.sqlite") is None
    closed(one)


@pytest.mark.parametrize("has", [0, 3], ids=["none of it arrived", "some of it arrived"])
def test_what_was_sent_and_not_acknowledged_is_nobodys_cut_tail(tmp_path: Path, has: int) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    inputs = lines(day())
    one.take(sent(inputs[:20]))
    late = one.log = Late()
    late.has = has
    with pytest.raises(CrashError):
        one.take(sent(inputs[20:]))
    closed(one)
    stored = log.stream("T7/2026-11-18")
    assert heads(tmp_path / "outbox.sqlite") == {"T7/2026-11-18": (20, digest(stored[-1]))}


def test_a_day_of_which_nothing_is_acknowledged_has_no_head(tmp_path: Path) -> None:
    one = gateway(tmp_path, MemoryLog())
    one.take(sent(lines(day())))
    one.log = Late()
    with pytest.raises(CrashError):
        one.take(sent(lines(day(date="2026-11-19"))))
    closed(one)
    assert heads(tmp_path / "outbox.sqlite") == {}


def test_a_finished_day_whose_end_is_not_acknowledged_has_a_head_beside_the_next(tmp_path: Path) -> None:
    log = MemoryLog()
    one = gateway(tmp_path, log)
    inputs = lines(day())
    one.take(sent(inputs[:10]))
    one.log = Late()
    with pytest.raises(CrashError):
        one.take(sent([*inputs[10:], *lines(day(date="2026-11-19"))]))
    closed(one)
    told = heads(tmp_path / "outbox.sqlite")
    assert {stream: sequence for stream, (sequence, _) in told.items()} == {"T7/2026-11-18": 10}
    assert decode(log.stream("T7/2026-11-18")[-1]).sequence == 10
