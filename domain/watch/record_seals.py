"""Checks on the seals of a findings log: each must be a watcher's own signature on the record it covers."""

from collections.abc import Iterator

from domain.facts.envelope import Fact
from domain.ledger.audit import ChainTrouble
from domain.ledger.seals import KeyRegister, Trouble, Verify, signature_trouble, standing, words
from domain.watch.record import WATCHER, FindingsSealed, is_sealed, sealed_by


class RecordSeals:
    """The sealed records read so far. `register` holds the property's keys."""

    def __init__(self, register: KeyRegister, verify: Verify) -> None:
        self.count = 0
        self._register = register
        self._verify = verify
        self._due: dict[str, dict[int, tuple[str, str]]] = {}  # by stream and sequence, the hash and the position

    def take(self, record: Fact, own: str, where: str) -> Iterator[ChainTrouble]:
        """Check the next record of its chain, given its hash."""
        if isinstance(record, FindingsSealed):
            self.count += 1
            wrong = self._wrong(record)
            if wrong:
                says = f"the seal by key {record.key} is invalid: {wrong}"
                yield ChainTrouble("seal-bad", record.stream, record.sequence, where, says)
            else:
                due = self._due[sealed_by(record.stream)]
                self._due[sealed_by(record.stream)] = {n: held for n, held in due.items() if n > record.covers}
        elif is_sealed(record):
            self._due.setdefault(record.stream, {})[record.sequence] = (own, where)

    def finish(self) -> Iterator[ChainTrouble]:
        """Report the streams whose last records no seal covers, if the log has any seal."""
        for stream, due in sorted(self._due.items()) if self.count else ():
            if due:
                says = f"no seal covers {len(due)} of its marks, from record {min(due)} on"
                yield ChainTrouble("unsealed", stream, max(due), due[max(due)][1], says)

    def _wrong(self, seal: FindingsSealed) -> Trouble:
        head = self._due.get(sealed_by(seal.stream), {}).get(seal.covers, ("", ""))[0]
        return findings_seal_trouble(self._register, seal, self._verify, head)


def findings_seal_trouble(register: KeyRegister, seal: FindingsSealed, verify: Verify, head: str | None) -> Trouble:
    """Return the fault of a watcher's seal, or nothing; `head` is the hash of the record it covers."""
    key = register.keys.get(seal.key)
    if key is None:
        return "key-unknown"
    if key.table != WATCHER:
        return "key-of-another-table"
    if head != seal.head:
        return "covers-wrong"
    if outside := standing(key, seal.stream, seal.covers, seal.at):
        return outside
    return signature_trouble(key, seal.signature, words(seal.stream, seal.covers, seal.head), verify)
