"""The library's own test cases of a recorder, run against ours."""

import tempfile
from pathlib import Path
from uuid import uuid4

from eventsourcing.tests import persistence as cases

from consumers.logs.sqlite import FactsDatastore, FactsRecorder


class TestSqliteRecorder(cases.ApplicationRecorderTestCase[FactsRecorder]):
    """The embedded log keeps every promise of a recorder, subscriptions included."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def new_originator_id(self) -> str:
        return str(uuid4())

    def create_recorder(self) -> FactsRecorder:
        datastore = FactsDatastore(str(Path(self.folder.name) / "facts.sqlite"))
        self.addCleanup(datastore.close)
        recorder = FactsRecorder(datastore)
        recorder.create_table()
        return recorder

    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestSqlitePositions(cases.NonInterleavingNotificationIDsBaseCase):
    """Batches of writers side by side get positions that do not mix."""

    insert_num = 1000

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def create_recorder(self) -> FactsRecorder:
        datastore = FactsDatastore(str(Path(self.folder.name) / "facts.sqlite"))
        self.addCleanup(datastore.close)
        recorder = FactsRecorder(datastore)
        recorder.create_table()
        return recorder

    def new_originator_id(self) -> str:
        return str(uuid4())
