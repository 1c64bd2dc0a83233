"""Check a whole record: its files, facts, findings, desk, tree, outbox and read models.

An unreadable part does not keep the others from being checked. A file with a damaged structure or journal is only read
as far as that changes nothing in it: opening it for writing could drop what its journal still holds.
"""

import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Final

import msgspec

from consumers.accounts.asker import user
from consumers.asking.place import READ
from consumers.desk.application import DESK_FILE
from consumers.desk.noting import note_proof
from consumers.desk.opening import database
from consumers.doctor import files, letters, outbox, tree
from consumers.doctor.covering import uncovered
from consumers.doctor.database import readonly
from consumers.doctor.outbox import Inputs
from consumers.doctor.proving import RecordProof, prove
from consumers.doctor.reading import ReadOnly, RecordPart, of_facts, of_log, of_rows, silent
from consumers.doctor.rows import Rows, TreeCoverage
from consumers.doctor.telling import STATUS, Teller
from consumers.gateway.keys import verify
from consumers.gateway.outbox import heads
from consumers.gateway.standing import MARKS
from consumers.gateway.standing import read as standing_in
from consumers.logs.log import IndexedLog, Log, StoredFact
from consumers.logs.opening import FINDINGS_FILE, LOG_FILE, UnreadLogError, findings_log, unread_log
from consumers.logs.sqlite import LogRow
from consumers.record_place import DEAD_LETTERS, OUTBOX, RecordOptions
from consumers.trust.proving import TreeProof as TreeProved
from consumers.trust.proving import prove as prove_tree
from consumers.trust.published import PUBLISHED_FILE, STREAM, type_of
from consumers.trust.tree_file import TREE_FILE, TreeTroubleError
from domain.ledger.audit import Audit, ChainAudit, ChainTrouble
from domain.ledger.checkpoint import BadNoteError
from domain.ledger.seals import KeyRegister
from domain.ledger.stretches import BadStretchError, Kind
from domain.ledger.tree import BadProofError
from domain.watch.record_audit import RecordAudit
from projections.doubles import doubled
from projections.reading import opened
from projections.rollup_check import strayed
from projections.troubles import REBUILD, NothingPublishedError, ReadModelsError

_TREE: Final = (TreeTroubleError, BadStretchError, BadNoteError, BadProofError)
_LOCKED: Final = "locked"


class DoctorRun:
    """One run of the doctor over a record."""

    def __init__(self, place: RecordOptions, teller: Teller, *, asked: int | None, patience: int) -> None:
        self._place = place
        self._teller = teller
        self._asked = asked
        self._patience = patience
        self._folder = place.folder if place.has_folder else None
        self._bad: set[str] = set()
        self._sound: set[str] = set()  # files that SQLite checked without finding a fault
        self._held: dict[Kind, TreeCoverage] = {}
        self._ends: dict[Kind, Mapping[str, int]] = {}
        self._damaged = False
        self._inputs = Inputs()
        self._followed: Mapping[str, ChainAudit] = {}
        self._register = KeyRegister()
        self._records = self._streams = self._end = 0

    def prove(self) -> None:
        """Check everything, each part separately, and record the run at the desk."""
        self._files()
        if self._folder is not None and TREE_FILE not in self._bad:
            self._held = tree.held(self._folder)
        told, not_compared = self._heads()
        self._part(LOG_FILE, lambda: self._facts(told))
        if not_compared:
            says = f"{not_compared}, so the end of the record was not compared with the last records the gateway wrote"
            self._teller.says(says)
        self._part(FINDINGS_FILE, self.findings)
        self._part(DESK_FILE, self._desk)
        self._part(TREE_FILE, self._tree)
        if not not_compared:
            self._part(OUTBOX, self._outbox)
        self._part(DEAD_LETTERS, self._letters)
        self._read_models()
        if self._folder is not None and (says := uncovered(self._held, self._ends)):
            self._teller.says(says)
        self._note()

    def prove_findings(self, *, sealed: bool) -> None:
        """Check only the findings log: its chains, its places, its seals."""
        with unread_log():
            with closing(self._place.log()) as facts:
                self._register = standing_in(facts).keys
            if self._place.data is not None and not (self._place.data / FINDINGS_FILE).is_file():
                findings_log(data=self._place.data, create=False)  # raises an error that says what is missing
            audit = self.findings()
        if audit is not None and not audit.seals.count:
            says = "no watcher sealed these findings: catwalk keys make watcher NAME makes the key for it"
            self._teller.says(says, STATUS["unsealed"] if sealed else 0)

    def _part(self, file: str, prove: Callable[[], object]) -> None:
        """Check one part. If its file was found damaged, failing to read it to the end is a consequence."""
        try:
            try:
                with unread_log():
                    prove()
            except UnicodeDecodeError as error:  # an SQLite message that quotes damaged bytes
                raise UnreadLogError(f"the log could not be read to its end: {error.reason}") from error
        except UnreadLogError as error:
            if self._folder is None or not (self._folder / file).is_file() or _LOCKED in error.message:
                raise
            if file not in self._bad:
                if self._place.kafka is not None:
                    raise  # possibly an unreadable topic
                self._bad.add(file)
                self._teller.found(ChainTrouble("file-bad", "", 0, file, error.message))
            self._teller.says(f"{error.message.rstrip('.')}; {file} is damaged, so the rest of it was not checked")

    def _files(self) -> None:
        """Check the database files of the folder, as files."""
        if self._folder is None:
            return
        for name, found in files.examined(self._folder):
            (self._bad if found else self._sound).add(name)
            for each in found:
                self._teller.found(each)

    def _heads(self) -> tuple[dict[str, tuple[int, str]], str]:
        """The last records that this machine's gateway wrote, or why they are unknown."""
        path = None if self._folder is None else self._folder / OUTBOX
        if path is None or not path.exists():
            return {}, "the outbox of the gateway is not here"
        if OUTBOX in self._bad:
            return {}, "the outbox of the gateway is damaged"
        try:
            told = heads(path)
        except (
            sqlite3.DatabaseError,
            msgspec.DecodeError,
            UnicodeDecodeError,
            TypeError,
        ) as error:  # a damaged cell may hold anything
            says = f"it cannot be read: {error}. Restore a backup; catwalk log copy makes a copy without it"
            self._teller.found(ChainTrouble("outbox-bad", "", 0, OUTBOX, says))
            return {}, "the outbox of the gateway cannot be read"
        return (told, "") if told is not None else ({}, "a gateway is running")

    def _facts(self, told: Mapping[str, tuple[int, str]]) -> None:
        part = RecordPart(self._teller)
        if self._place.data is None:
            with closing(self._place.log()) as log:
                standing = standing_in(log)
                audit = Audit(standing.keys, verify, standing.sources)
                part.tell(of_log(log, audit.take))
                self._ends["facts"] = _ends(log)
                self._finish(part, audit, told)
            return
        file = self._place.data / LOG_FILE
        if not file.is_file():
            self._place.log()  # raises an error that says how to name a record
        with closing(readonly(file)) as db:
            rows = Rows("facts", db, self._held.get("facts"), sound=LOG_FILE in self._sound)
            standing = standing_in(ReadOnly(rows, MARKS))
            audit = Audit(standing.keys, verify, standing.sources)
            part.tell(of_facts(rows, audit, self._inputs))
            self._ends["facts"], self._end = rows.ends, rows.last
            self._finish(part, audit, told)
            part.tell(rows.finish(damaged=part.damaged, cut=part.cut))
            self._damaged, self._followed = part.damaged, audit.streams
        self._undigested(rows, "facts")

    def _finish(self, part: RecordPart, audit: Audit, told: Mapping[str, tuple[int, str]]) -> None:
        part.tell(audit.finish(dict(told), self._asked, self._patience))
        if self._asked is not None:
            part.tell(silent(audit, self._asked, self._patience))
        self._register = audit.register
        self._told(audit, part)

    def findings(self) -> RecordAudit | None:
        """Check the verifiers' findings, if there are any."""
        part = RecordPart(self._teller)
        audit = RecordAudit(self._register, verify)
        if self._place.data is None:
            with closing(findings_log(kafka=self._place.kafka, create=False)) as log:
                part.tell(of_log(log, audit.take))
                self._ends["findings"] = _ends(log)
        elif (file := self._place.data / FINDINGS_FILE).is_file():
            with closing(readonly(file)) as db:
                rows = Rows("findings", db, self._held.get("findings"), sound=FINDINGS_FILE in self._sound)
                part.tell(of_rows(rows, audit.take))
                self._ends["findings"] = rows.ends
                part.tell(rows.finish(damaged=part.damaged, cut=part.cut))
            self._undigested(rows, "findings")
        else:
            return None
        part.tell(audit.finish())
        self._told(audit, part)
        return audit

    def _told(self, audit: Audit | RecordAudit, part: RecordPart) -> None:
        self._records += audit.read
        self._streams += audit.begun
        of = "records" if isinstance(audit, Audit) else "records of findings"
        self._teller.verdict(f"{audit.read} {of} in {audit.begun} streams", part.status)

    def _undigested(self, rows: Rows, of: str) -> None:
        if rows.undigested:
            says = f"the first {rows.undigested} records of {of} were written before a digest was kept with them"
            self._teller.says(f"{says}: for those, only seals and heads protect the last one of each stream")

    def _desk(self) -> None:
        if DESK_FILE in self._bad and not database():
            says = (
                f"{DESK_FILE} is damaged, so the desk was not opened: copy the folder, then `catwalk restore` a backup"
            )
            self._teller.says(says)
            return
        proved, part = RecordProof(), RecordPart(self._teller)
        part.tell(prove(self._folder, self._place.kafka, proved, self._held.get("desk")))
        if proved.read:
            self._teller.verdict(f"{proved.read} records of the desk in {proved.streams} streams", part.status)
        self._records += proved.read
        self._streams += proved.streams
        self._ends["desk"] = proved.ends
        for note in proved.notes:
            self._teller.says(note)

    def _tree(self) -> None:
        """Check the tree of the property's checkpoints, if there is one, and the record against each leaf."""
        needs = self._bad & {LOG_FILE, FINDINGS_FILE, DESK_FILE, TREE_FILE, PUBLISHED_FILE}
        if needs:
            says = f"{', '.join(sorted(needs))} is damaged, so the record was not compared with its checkpoints"
            self._teller.says(says)
            return
        proved, part = TreeProved(), RecordPart(self._teller)
        try:
            part.tell(prove_tree(self._place, proved))
            if self._folder is not None and (file := self._folder / TREE_FILE).is_file() and not part.damaged:
                part.tell(ChainTrouble("tree-bad", "checkpoints", 0, "", says) for says in tree.troubles(file))
        except _TREE as error:
            part.tell(iter([ChainTrouble("tree-bad", "checkpoints", 0, "", str(error))]))
        if proved.heads:
            of = f"{proved.heads} checkpoints over {proved.leaves} stretches, {proved.records} records compared with"
            self._teller.verdict(f"{of} them", part.status)
        if self._place.data is not None and (file := self._place.data / PUBLISHED_FILE).is_file():
            with closing(readonly(file)) as db:
                rows = Rows("checkpoints", db)
                rows.says_where = _entry
                part.tell(of_rows(rows, lambda *_: iter(())))
                part.tell(rows.finish(damaged=part.damaged, cut=part.cut))

    def _outbox(self) -> None:
        """Check the gateway's outbox, if nothing writes it and this run has read the whole record."""
        if self._place.data is None or self._damaged or self._bad & {LOG_FILE, OUTBOX}:
            return  # a damaged record makes the outbox differ anyway
        path = self._place.data / OUTBOX
        part = RecordPart(self._teller)
        with closing(self._place.log()) as log, closing(readonly(self._place.data / LOG_FILE)) as facts:
            end = log.last_position(0)
            days = outbox.NewestDays(log, facts, self._followed)
            found = list(outbox.troubles(path, days, self._inputs))
            if log.last_position(0) == end == self._end and not files.at_work(path):
                part.tell(iter(found))

    def _letters(self) -> None:
        file = None if self._folder is None else self._folder / DEAD_LETTERS
        if file is not None and file.is_file() and DEAD_LETTERS not in self._bad:
            RecordPart(self._teller).tell(letters.troubles(file))

    def _read_models(self) -> None:
        """Check the read models, if there are any, for duplicate rows and for rollups that contradict their rounds."""
        if self._folder is None:
            return
        folder = self._folder / READ
        try:
            with opened(folder, all_of_it=True) as reading:
                wrong = [twice.says for twice in doubled(reading)] + [other.says for other in strayed(reading)]
                told = [f"{folder}: {says}. {REBUILD}" for says in wrong]
        except NothingPublishedError:
            return
        except ReadModelsError as error:
            told = [str(error)]
        for says in told:
            self._teller.says(says, STATUS["silent"])

    def _note(self) -> None:
        """Record this run at the desk, so that people see the time of the last check."""
        if DESK_FILE in self._bad and not database():
            self._teller.says("the desk is damaged, so this run is not noted there")
            return
        why = note_proof(self._folder, user(), records=self._records, streams=self._streams, status=self._teller.status)
        if why:
            self._teller.says(why)


def _ends(log: Log) -> Mapping[str, int]:
    return log.ends() if isinstance(log, IndexedLog) else {}


def _entry(row: LogRow) -> StoredFact:
    """An entry of the tree: its type is from its bytes, its place from its position."""
    return StoredFact(STREAM, row.position, type_of(row.stored), row.stored)
