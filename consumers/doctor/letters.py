"""Compare the bytes of each dead letter with its stored digest."""

from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from consumers.doctor.database import readonly
from domain.ledger.audit import ChainTrouble

_LETTERS = "SELECT number, digest, ifnull(CAST(bytes AS BLOB), x'') FROM dead_letters ORDER BY number"


def troubles(path: Path) -> Iterator[ChainTrouble]:
    """The letters whose bytes differ from their digest."""
    with closing(readonly(path)) as db:
        for number, digest, stored in db.execute(_LETTERS):
            if sha256(stored).hexdigest() != digest:
                says = f"the bytes of letter {number} differ from those that were stored"
                yield ChainTrouble("file-bad", "", number, path.name, says)
