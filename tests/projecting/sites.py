"""An embedded record that grows beside its projector: facts, and what a verifier finds in them."""

import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from consumers.logs.log import NoPlaceError, StoredFact, place_of
from consumers.logs.sqlite import SqliteLog
from consumers.projecting.following import through
from consumers.projecting.projector import Projector
from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.streams import owner
from domain.facts.watching import Corrected
from projections.digests import digests
from projections.reading import opened
from projections.store.store import Store
from tests.watching.memory import MemoryLog, Watched

Rows = list[tuple[Any, ...]]


def found_in(facts: Sequence[bytes]) -> list[bytes]:
    """Findings that a verifier writes about these facts."""
    return Watched(MemoryLog(facts)).take().findings.stored


class Site:
    """A data folder with its two logs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.read = folder / "read"
        self.options = ("--data", str(folder))
        self.facts = SqliteLog(folder / "record/facts.sqlite", create=True)
        self.findings = SqliteLog(folder / "record/findings.sqlite", create=True, name="findings")
        self._junk = 0

    def tell(self, facts: Sequence[bytes], findings: Sequence[bytes] = ()) -> None:
        """Append to both."""
        self.facts.append([self._row(stored) for stored in facts])
        self.findings.append([place_of(stored) for stored in findings])

    def _row(self, stored: bytes) -> StoredFact:
        """An embedded log gives each place away once; what is no fact stands at a place of its own."""
        try:
            decode(stored)
            return place_of(stored)
        except (UnreadableFactError, NoPlaceError):
            self._junk += 1
            return StoredFact("junk", self._junk, "junk", stored)

    def digests(self) -> dict[str, str]:
        """The digest of each published table."""
        with opened(self.read) as reading:
            return digests(reading)

    def close(self) -> None:
        self.facts.close()
        self.findings.close()


def shares(facts: Sequence[bytes], count: int) -> list[Sequence[bytes]]:
    """So many parts of about the same length, in order."""
    edges = [len(facts) * number // count for number in range(count + 1)]
    return [facts[start:end] for start, end in pairwise(edges)]


def project(site: Site) -> dict[str, str]:
    """Take all new facts and return the published rows."""
    with Store.open(site.read) as store:
        through(Projector(site.facts, site.findings, store), threading.Event())
    return site.digests()


def fresh(site: Site, tmp_path: Path) -> dict[str, str]:
    """Digests of a new projector's rows from the same logs."""
    with Store.open(tmp_path / "fresh") as store:
        through(Projector(site.facts, site.findings, store), threading.Event())
    with opened(tmp_path / "fresh") as reading:
        return digests(reading)


def asked(site: Site, query: str) -> Rows:
    """The published rows that say so."""
    with opened(site.read) as reading:
        return reading.query(query)


def read_as(fact: Fact, cents: int, key: str = "late") -> Corrected:
    """A correction of the amount a fact names, entered at its table today."""
    return Corrected(
        fact.stream,
        fact.sequence,
        {"cents": cents},
        at=fact.at,
        source="office",
        source_key=f"office:{key}",
        stream=owner(fact.stream),
    )
