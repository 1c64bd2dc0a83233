"""The time from which a stream needs a seal: its table was sealed before, or a key is registered for it.

A table without keys needs none. Whether it should have keys is up to the property and raises no finding.
"""

from collections.abc import Callable, Sequence

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.facts.streams import PROPERTY, owner
from domain.following import Link, chain_of
from domain.ledger.seals import KeyRegister, SealKey, evolve, fold, standing
from domain.watch.corrected import WatchedRecord
from domain.watch.record import FindingRaised
from domain.watch.sealing import CODE, Sealing

KEY_FACTS = (KeyRegistered, KeyRotated, KeyRevoked)
_SEAL = b'"type":"chain-sealed.'


class ExpectedSeals:
    """The known keys and each table's last finished day; anything else is read from the record."""

    def __init__(self, record: WatchedRecord, stored: Callable[[str], Sequence[bytes]]) -> None:
        self._record = record
        self._stored = stored
        self._register: KeyRegister | None = None
        self._days: dict[str, tuple[str, bool]] = {}  # by table, its last finished day: sealed or reported unsealed

    def key_told(self, fact: Fact) -> None:
        """Process the property's next fact about a key."""
        if self._register is not None:
            evolve(self._register, fact)

    def forget_keys(self) -> None:
        """Forget the keys, because the record has facts about keys that did not come through here."""
        self._register = None

    def day_over(self, stream: str, sealing: Sealing) -> None:
        """Note how a table's finished day was sealed."""
        self._days[owner(stream)] = stream, sealing.sealed or sealing.told

    def told_late(self, stream: str, news: Sequence[Link]) -> None:
        """Note seals that arrive late for a finished day."""
        known, _ = self._days.get(owner(stream), ("", False))
        if known == stream and any(isinstance(link.fact, ChainSealed) for link in news):
            self._days[owner(stream)] = stream, True

    def due(self, previous: str, fact: Fact) -> int | None:
        """Return the time from which an unsealed stream needs a seal, or None."""
        table = owner(fact.stream)
        if owner(previous) == table and previous < fact.stream and self._sealed_on(previous):
            return 0
        if not self._record.beside_property(fact.stream):
            return None
        if self._register is None:
            days = self._record.from_day(f"{PROPERTY}/")
            self._register = fold(told for day in days for told in self._record.facts(day))
        return min((key.since.at for key in self._register.keys.values() if _may(key, table, fact)), default=None)

    def _sealed_on(self, day: str) -> bool:
        """Whether a day had a seal or a finding that it lacked one."""
        known, sealed = self._days.get(owner(day), ("", False))
        if known == day:
            return sealed
        stored = self._stored(day)
        told = any(_SEAL in each for each in stored) and chain_of(readable(stored))
        if told and any(isinstance(link.fact, ChainSealed) for link in told):
            return True
        written = (link.fact for link in self._record.held(day))
        return any(isinstance(record, FindingRaised) and record.code == CODE for record in written)


def _may(key: SealKey, table: str, fact: Fact) -> bool:
    """Whether a key seals this table now or will from a later time."""
    if key.table != table:
        return False
    trouble = standing(key, fact.stream, fact.sequence, fact.at)
    return not trouble or (trouble == "key-not-yet-valid" and not key.since.stream)
