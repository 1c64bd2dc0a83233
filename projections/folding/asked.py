"""What a fold asks of the log it is read from."""

from collections.abc import MutableMapping

import msgspec

from domain.following import Stored
from domain.watch.corrected import Record


class Asked(msgspec.Struct):
    """How a fold asks for what stands in the log before the fact it takes."""

    record: Record
    stored: Stored
    at: MutableMapping[int, int]
    partition: int
    counts: int = 0  # 1 where what is being taken counts already

    @property
    def edition(self) -> int:
        """The position of the fact being taken."""
        return self.at[self.partition] - self.counts

    def counting(self) -> None:
        """What is being taken counts from now on."""
        self.at[self.partition], self.counts = self.edition + 1, 1
