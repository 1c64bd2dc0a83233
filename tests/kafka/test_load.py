"""The load's judge finds each fault it is there to find."""

import pytest

from consumers.kafka.settings import KafkaSettings, Plaintext
from tests.kafka import load

SETTINGS = KafkaSettings(profile="development", bootstrap_servers=("localhost:1",), security=Plaintext())
SENT = load.Sent(acknowledged=[("T1", 0), ("T2", 1), ("T1", 2)])
GOOD = {0: [("T1", 0), ("T1", 2)], 1: [("T2", 1)]}

# What the log holds, and what is said of it.
ROWS = [
    (GOOD, []),
    ({0: [("T1", 0), ("T1", 2)]}, ["T2 1 was acknowledged and is lost"]),
    ({0: [("T1", 0), ("T1", 2), ("T1", 2)], 1: [("T2", 1)]}, ["2 is there 2 times"]),
    ({0: [("T1", 2), ("T1", 0)], 1: [("T2", 1)]}, ["partition 0 is out of order"]),
    ({0: [("T1", 0)], 1: [("T2", 1), ("T1", 2)]}, ["T1 is in the partitions {0, 1}"]),
]


@pytest.mark.parametrize(("log", "says"), ROWS, ids=lambda cell: str(cell)[:40])
def test_a_fault_of_the_log_is_told(log: dict, says: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "drained", lambda _settings, _topic: log)
    assert load.faults(SETTINGS, "facts", SENT) == says


def test_a_fact_that_was_not_acknowledged_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "drained", lambda _settings, _topic: GOOD)
    sent = load.Sent(acknowledged=SENT.acknowledged, failed=[("T2", 3, "TimeoutError()")])
    assert load.faults(SETTINGS, "facts", sent) == ["T2 3 was not acknowledged: TimeoutError()"]
