"""A fold's access to the log it is read from."""

from collections.abc import MutableMapping

import msgspec

from domain.following import Stored
from domain.watch.corrected import WatchedRecord


class RecordQuestions(msgspec.Struct):
    """A fold's access to what comes before the current fact in the log."""

    record: WatchedRecord
    stored: Stored
    at: MutableMapping[int, int]
    partition: int
    counts: int = 0  # 1 if the current fact counts already

    @property
    def edition(self) -> int:
        """The position of the current fact."""
        return self.at[self.partition] - self.counts

    def counting(self) -> None:
        """Count the current fact from now on."""
        self.at[self.partition], self.counts = self.edition + 1, 1
