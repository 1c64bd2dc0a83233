"""All of it, in the order in which one thing is proved by another; and what follows from nothing that is here."""

from __future__ import annotations

from typing import BinaryIO, Callable

from projections.export.verifier.answered import Answered
from projections.export.verifier.checked import check_files, check_frame, check_program
from projections.export.verifier.completeness import Completeness, check_after
from projections.export.verifier.container import Export
from projections.export.verifier.files import Files
from projections.export.verifier.heads import check_earlier
from projections.export.verifier.keys import PropertyKeys
from projections.export.verifier.lists import check_lists, check_players
from projections.export.verifier.places import LEFT_OUT, TOLD_ROUNDS, WORKBOOK, table_path
from projections.export.verifier.question import Question
from projections.export.verifier.reading import Reading
from projections.export.verifier.signed import (
    cosigned_by,
    signed_checkpoint,
    signed_question,
    signed_statement,
    vouched_for,
)
from projections.export.verifier.verdict import Asked, Tally, Verdict
from projections.export.verifier.workbook import check_tables


def verify(file: BinaryIO, asked: Asked, tell: Callable[[str], None] = lambda says: None) -> Verdict:
    """Checks an export step by step. The first step that finds something altered raises it."""
    tally, export = Tally(tell), Export(file)
    tally.proves(f"container laid down again byte for byte, {export.length} bytes, {len(export.members)} files")
    keys = PropertyKeys(export)
    statement, files = signed_statement(export, keys), Files(export)
    check_files(export, files, statement, keys)
    tally.proves(f"every file is the one that key {statement.keyid[:16]} signed for")
    check_program(files, asked.program, tally)
    vouched = vouched_for(asked, keys, statement, tally)
    question, head = signed_question(export, files, statement), signed_checkpoint(export, keys)
    witnesses = cosigned_by(asked, head, question, tally)
    check_frame(export, head, keys, question)
    reading = Reading(export, head, question, asked.seals, tally)
    reading.run()
    may_go_on = check_after(export, head, reading, tally)
    heads = check_earlier(export, keys, head, asked.held, tally)
    Completeness(export, question.scope, heads, head.size, tally).check(reading, may_go_on)
    _check_written(export, tally)
    _tell_the_rest(export, question, reading.answered, tally)
    says = f"{export.name}, {reading.records} records of {len(reading.streams)} streams, is what {head.origin} signed"
    says += "".join(f", cosigned by {name}" for name in witnesses)
    vouched = vouched and len(witnesses) == len(asked.witnesses)
    return Verdict(tally.proved, tally.not_proved, vouched, says, question.said)


def _check_written(export: Export, tally: Tally) -> None:
    """The tables: those that follow from others, and all of them as they are written."""
    check_lists(export)
    if table_path("players") in export.members:
        check_players(export)
    count = check_tables(export)
    also = ", and the workbook cell by cell" if WORKBOOK in export.members else ""
    tally.proves(f"{count} rows of tables written in the one form there is{also}")


NEEDS_MORE = {
    "what was owed, and what hangs on it": "it needs the rule books. That is house, void_clause, owed_cents, decided "
    "and undecided in rounds; holds, owed_cents and difference_cents in hands; owed_cents, difference_cents, clause, "
    "basis and undecided in wagers; errors as far as they go by these; all of coverage",
    "the decks": "that is deck in rounds, all of deck_ledger, and in card_record the deck of counts and determinations",
    "clause_texts in findings": "they are the register's words",
}


def _tell_the_rest(export: Export, question: Question, answered: Answered, tally: Tally) -> None:
    """What follows from nothing that is here."""
    for what, why in NEEDS_MORE.items():
        tally.leaves_open(f"{what}: {why}")
    if files := [path for path in ("data/report.pdf", "data/facts.parquet") if path in export.members]:
        tally.leaves_open(f"what {' and '.join(files)} say: signed as they are")
    if believed := [path for path in (LEFT_OUT, TOLD_ROUNDS, table_path("players")) if path in export.members]:
        tally.leaves_open(f"what {' and '.join(believed)} say, which is believed")
    if answered.zone != question.zone:
        known = f"the last opening of the property that is here says {answered.zone}" if answered.zone else "none does"
        tally.leaves_open(f"that the property's time is that of {question.zone}: {known}")
    if not answered.editions:
        tally.leaves_open("that amounts owed go by the rule books tables opened under: the question names others")
    tally.leaves_open("what the question says its files hold, and what it calls the rule books")
    if answered.unseen:
        tally.leaves_open(f"what became of {answered.unseen} hands that the case links: they are not here")
    scope = question.scope
    if scope.player:
        tally.leaves_open(f"that {scope.player} played no other rounds: a round left out leaves no gap")
    elif scope.in_part:
        tally.leaves_open("that no other round belongs to what is asked: a round left out leaves no gap")
    tally.leaves_open("that what was recorded is true")
