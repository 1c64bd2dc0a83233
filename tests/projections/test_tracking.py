"""The event-sourcing library's own cases for what records positions, over a working file on the disk."""

import tempfile
from pathlib import Path

from eventsourcing.persistence import Tracking, TrackingRecorder
from eventsourcing.tests.persistence import TrackingRecorderTestCase as _Official

from projections.store import Store


class TestTrackingRecorder(_Official):
    def create_recorder(self) -> TrackingRecorder:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        store = Store.open(Path(folder.name))
        self.addCleanup(store.close)
        return store

    def test_positions_are_on_the_disk(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with Store.open(Path(folder)) as store:
                assert store.max_tracking_id("facts/0") is None
                store.insert_tracking(Tracking("facts/0", 21))
            with Store.open(Path(folder)) as store:
                assert store.max_tracking_id("facts/0") == 21


del _Official  # collected as a test of its own otherwise
