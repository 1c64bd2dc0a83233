"""State that fifty kills of a gateway must leave of a record, in every log. A log's own module inherits this."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from consumers.gateway.keys import PASSPHRASE
from tests.gateway.nursery import Nursery
from tests.gateway.storm import End, Record, Storm, kill


@pytest.fixture
def nursery(tmp_path: Path) -> Iterator[Nursery]:
    with Nursery(tmp_path, {PASSPHRASE: "a passphrase for tests", "XDG_STATE_HOME": str(tmp_path)}) as started:
        yield started


class KillContract:
    """A log's test has a fixture `record`, and says how long its gateways take to start and to hear a day out."""

    KILLS = 50
    ROUNDS = 120
    SECONDS = (0.03, 0.3)

    @pytest.fixture
    def ends(self) -> Sequence[End]:
        return [kill]

    def test_fifty_kills_lose_nothing_double_nothing_and_leave_whole_chains(
        self, nursery: Nursery, record: Record, ends: Sequence[End]
    ) -> None:
        """Three tables, six devices at once and the desk; everything told again after each death."""
        storm = Storm(nursery, record, random.Random(50), rounds=self.ROUNDS, seconds=self.SECONDS)  # noqa: S311
        storm.blow(self.KILLS, ends)
        assert storm.verdict() == []
        self.check(storm)

    def check(self, storm: Storm) -> None:
        """The kills were where they hurt."""
        assert storm.score.kills == self.KILLS
        assert min(storm.score.by_form.values()) >= 5
        assert storm.score.in_flight >= 3, storm.score
