"""From when on a seal is due in a stream, by what the log told before: its table was sealed, or a key is there for it.

A table without keys is silent here. Whether it ought to have some is the property's business and no finding.
"""

from collections.abc import Callable, Sequence

from domain.facts.codec import readable
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, KeyRevoked, KeyRotated
from domain.facts.seals import ChainSealed
from domain.facts.streams import PROPERTY, owner
from domain.following import Link, chain_of
from domain.ledger.seals import Key, KeyRegister, evolve, fold, standing
from domain.watch.corrected import Record
from domain.watch.record import FindingRaised
from domain.watch.sealing import CODE, Sealing

KEY_FACTS = (KeyRegistered, KeyRotated, KeyRevoked)
_SEAL = b'"type":"chain-sealed.'


class ExpectedSeals:
    """What is known of the keys and of each table's day before; what is not, the record is asked for."""

    def __init__(self, record: Record, stored: Callable[[str], Sequence[bytes]]) -> None:
        self._record = record
        self._stored = stored
        self._register: KeyRegister | None = None
        self._days: dict[str, tuple[str, bool]] = {}  # of each table, its last day that is over: sealed or missed

    def key_told(self, fact: Fact) -> None:
        """The property's next fact is about a key."""
        if self._register is not None:
            evolve(self._register, fact)

    def forget_keys(self) -> None:
        """More was told about keys than is heard here."""
        self._register = None

    def day_over(self, stream: str, sealing: Sealing) -> None:
        """Another day of its table began."""
        self._days[owner(stream)] = stream, sealing.sealed or sealing.told

    def told_late(self, stream: str, news: Sequence[Link]) -> None:
        """The chain of a day that is over grew."""
        known, _ = self._days.get(owner(stream), ("", False))
        if known == stream and any(isinstance(link.fact, ChainSealed) for link in news):
            self._days[owner(stream)] = stream, True

    def due(self, previous: str, fact: Fact) -> int | None:
        """From when on a seal is due in a stream that has none so far, or nothing."""
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
        """Whether a day had a seal, or somebody missed it."""
        known, sealed = self._days.get(owner(day), ("", False))
        if known == day:
            return sealed
        stored = self._stored(day)
        told = any(_SEAL in each for each in stored) and chain_of(readable(stored))
        if told and any(isinstance(link.fact, ChainSealed) for link in told):
            return True
        written = (link.fact for link in self._record.held(day))
        return any(isinstance(record, FindingRaised) and record.code == CODE for record in written)


def _may(key: Key, table: str, fact: Fact) -> bool:
    """Whether a key seals this table now, or will from a moment on."""
    if key.table != table:
        return False
    trouble = standing(key, fact.stream, fact.sequence, fact.at)
    return not trouble or (trouble == "key-not-yet-valid" and not key.since.stream)
