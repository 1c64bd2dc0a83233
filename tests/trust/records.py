"""A small embedded record to keep a tree of: two tables and the property, sealed by real keys, and a desk."""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.desk.application import desk_of
from consumers.gateway.keys import KeyStore
from consumers.logs.log import StoredFact, place_of
from consumers.logs.sqlite import LogRow, SqliteLog, written
from consumers.record_place import RecordOptions
from consumers.trust.running import at_work
from domain.desk.access import looked
from domain.desk.acting import DeskAct
from domain.facts.codec import decode, encode
from domain.facts.envelope import Fact
from domain.facts.property_day import KeyRegistered, PropertyClosed, PropertyOpened
from domain.facts.seals import ChainSealed
from domain.facts.streams import PROPERTY, owner
from domain.ledger.chain import digest
from domain.ledger.seals import words
from domain.ledger.stretches import stretch_of
from domain.ledger.tree import consistency, leaf_hash
from domain.ledger.witnessing import ShownHead
from domain.ledger.writer import InputRefusal, Writer, located, place
from tests.gateway.floor import START, day

DAY = "2026-11-18"
LATER = START + 600_000_000_000  # long after everything on record
TABLES = ("T7", "T8")
NAME = "catwalk/test"


def run(*arguments: str, given: str = "") -> Result:
    """A command as a person runs it."""
    return CliRunner().invoke(main, list(arguments), input=given)


def branded(pit: "Pit") -> tuple[int, int]:
    """A tree as two keepers at once left it: the second leaf of T7 ends within the third."""
    name = f"T7/{DAY}"
    records = pit.stream(name)
    end, late = len(records) - 8, len(records) - 4
    with at_work(RecordOptions(pit.folder, None, None)) as work, work.keeper.tree.growing():
        tree, keeper = work.keeper.tree, work.keeper
        for first, last in ((1, 12), (13, late), (13, end), (end + 1, len(records))):
            taken = records[first - 1 : last]
            tree.put("stretch.1", stretch_of("facts", name, first, [leaf_hash(one) for one in taken], taken[-1]).stored)
            before = tree.newest
            since = before.size if before else 0
            path = tuple(consistency(tree.node, since, tree.size))
            tree.put("checkpoint.1", ShownHead(since, path, keeper._signed(START, ())).text.encode())
    return end, late


class Pit:
    """A record in a folder, written to as a gateway would, and behind everybody's back."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.keys = KeyStore(folder / "keys")
        self.writer = Writer(epoch=1)
        self.log = SqliteLog(folder / "record/facts.sqlite", create=True)

    def opened(self) -> "Pit":
        """The property's day with its keys, and a round of every table."""
        self.say(PropertyOpened(DAY, 0, "Test House", at=START, source="office", source_key="open"))
        for table in (PROPERTY, *TABLES):
            made = self.keys.make(table, f"{table}-1")
            self.say(
                KeyRegistered(
                    made.name, made.public_key, table, at=START, source="office", source_key=table, stream=PROPERTY
                )
            )
        self.seal(PROPERTY)
        for table in TABLES:
            self.say(*day(table, rounds=1, close=False))
            self.seal(table)
        return self

    def say(self, *facts: Fact) -> None:
        """Facts as sources say them."""
        rows = []
        for fact in facts:
            whole = located(self.writer, fact)
            assert not isinstance(whole, InputRefusal), whole
            rows.append(place_of(place(self.writer, whole).stored))
        self.log.append(rows)

    def rounds(self, table: str, count: int, *, seal: bool = True) -> None:
        """So many more rounds at a table."""
        facts = list(day(table, rounds=count, close=False))[1:]
        last = self.writer.days[table].sequence
        self.say(*(msgspec.structs.replace(fact, source_key=f"{fact.source_key}+{last}") for fact in facts))
        if seal:
            self.seal(table)

    def closed(self) -> None:
        """The property's day is closed."""
        self.say(PropertyClosed(at=START + 1_000_000, source="office", source_key="close", stream=PROPERTY))
        self.seal(PROPERTY)

    def seal(self, table: str) -> None:
        """A seal behind the last fact, by the table's key."""
        today = self.writer.days[table]
        row = place_of(place(self.writer, self._seal(today.stream, today.sequence, today.head, START)).stored)
        self.log.append([row])

    def _seal(self, stream: str, covers: int, head: str, at: int) -> ChainSealed:
        signer = self.keys.signer(owner(stream), stream, covers + 1, at)
        assert signer is not None
        signature = signer.sign(words(stream, covers, head))
        key = f"seal:{stream}:{covers}"
        return ChainSealed(signer.name, covers, signature, at=at, source="gateway", source_key=key, stream=stream)

    def looks(self, count: int = 1) -> None:
        """Look at the floor, on record."""
        desk = desk_of(data=self.folder)
        for number in range(count):
            desk.looked([looked(DeskAct("olga", START, f"look {number}"), "page", "floor")])
        desk.close()

    def stream(self, name: str) -> list[bytes]:
        """The stored records of a stream."""
        return self.log.read_stream(name)

    def overwritten(self, name: str, records: Sequence[bytes]) -> None:
        """Replace the stream by other records, as an attacker careful with the disk would do it."""
        rows = [StoredFact(name, number, place_of(each).type, each) for number, each in enumerate(records, 1)]
        before = len(self.stream(name))
        with self.log.recorder(0).datastore.transaction(commit=True) as c:
            c.execute("DELETE FROM facts WHERE originator_id=? AND originator_version>?", (name, len(rows)))
            for row in rows[:before]:
                changed = "UPDATE facts SET topic=?, state=? WHERE originator_id=? AND originator_version=?"
                c.execute(changed, (row.type, row.stored, *row[:2]))
        self.log.append(rows[before:])
        self.made_to_fit()

    def made_to_fit(self) -> None:
        """The digest of everything written has no secret: it fits again."""
        with self.log.recorder(0).datastore.transaction(commit=True) as c:
            c.execute("SELECT position, originator_id, originator_version, topic, state FROM facts ORDER BY position")
            rows = [LogRow(*row) for row in c.fetchall()]
            c.execute("UPDATE facts_written SET position=?, digest=?", (rows[-1].position, written(b"", rows)))

    def rewritten(self, name: str, at: int, change: Callable[[Fact], Fact]) -> list[bytes]:
        """The stream with one fact changed, and everything behind it chained and sealed by the table's own key."""
        made: list[bytes] = []
        for stored in self.stream(name):
            fact = decode(stored)
            if fact.sequence == at:
                fact = change(fact)
            head = digest(made[-1]) if made else ""
            if isinstance(fact, ChainSealed) and fact.sequence > at:
                fact = self._seal(name, fact.covers, head, fact.at)
                fact = msgspec.structs.replace(fact, sequence=len(made) + 1)
            made.append(encode(msgspec.structs.replace(fact, previous=head)))
        return made

    def close(self) -> None:
        """Close the file."""
        self.log.close()
