"""All of it, in the order in which one thing is proved by another; and what follows from nothing that is here."""

from __future__ import annotations

from typing import BinaryIO, Callable

from projections.export.verifier.answered import Answered
from projections.export.verifier.checked import check_files, check_frame, check_program
from projections.export.verifier.completeness import Completeness, check_after, check_dates
from projections.export.verifier.container import Export
from projections.export.verifier.files import Files
from projections.export.verifier.heads import Seen, check_cosigners, earlier_heads, held_head
from projections.export.verifier.keys import PropertyKeys
from projections.export.verifier.lists import check_lists, check_players
from projections.export.verifier.notes import Head
from projections.export.verifier.places import LEFT_OUT, STATEMENT, TOLD_ROUNDS, WORKBOOK, table_path
from projections.export.verifier.question import Question, Scope
from projections.export.verifier.reading import Reading
from projections.export.verifier.signed import (
    check_bound,
    check_signature,
    signed_checkpoint,
    signed_question,
    tell_of_witnesses,
    vouched_for,
)
from projections.export.verifier.statement import statement_of
from projections.export.verifier.verdict import Asked, Tally, Verdict
from projections.export.verifier.workbook import check_tables


def verify(file: BinaryIO, asked: Asked, tell: Callable[[str], None] = lambda says: None) -> Verdict:
    """Checks an export step by step. The first step that finds something altered raises it.

    Who signed it comes before anything that costs time or memory which whoever made it may choose.
    """
    tally, export = Tally(tell), Export(file)
    tally.proves(f"container laid down again byte for byte, {export.length} bytes, {len(export.members)} files")
    keys = PropertyKeys(export)
    statement = statement_of(export.read(STATEMENT))
    keyed = vouched_for(asked, keys, statement, tally)
    check_signature(statement, keys)
    if keyed:
        tally.proves(f"signed by {keys.newest.name} with the key given from outside")
    keys.check()
    files = Files(export)
    check_files(export, files, statement, keys)
    tally.proves(f"every file is the one that key {statement.keyid[:16]} signed for")
    check_program(files, asked.program, tally)
    question, head = signed_question(export, files, statement), signed_checkpoint(export, keys)
    check_bound(head, question, tally)
    heads = earlier_heads(export, keys, head)
    check_cosigners(heads, head, question.earlier)
    if len(heads) > 1:
        first = min(heads)
        tally.proves(f"goes on from {len(heads) - 1} earlier checkpoints, the first of {heads[first].time}")
    seen = Seen(heads, head.size, asked.witnesses, held_head(asked.held, keys, heads, head))
    for size, each in heads.items():
        seen.compare_held(size, each.root)
    witnesses = tell_of_witnesses(asked, seen, head, tally)
    check_frame(export, head, keys, question)
    reading = Reading(export, head, question, asked, tally)
    reading.run()
    with reading.telling():
        may_go_on = check_after(export, head, reading, tally)
        completeness = Completeness(export, question.scope, seen, head, tally)
        completeness.check(reading, may_go_on)
    check_dates(reading, seen, tally)
    _tell_who_saw(seen, witnesses, reading.reach, head, tally)
    _check_written(export, tally)
    _tell_the_rest(export, question, reading.answered, tally)
    says = f"{export.name}, {reading.records} records of {len(reading.streams)} streams, is what {head.origin} signed"
    says += "".join(f", cosigned by {name}" for name in witnesses)
    used = bool(seen.at(reading.reach)) and completeness.vouched
    return Verdict(
        *(tally.proved, tally.not_proved, tally.not_used, tally.faults, tally.fault_count),
        *(keyed, used, says, question.said),
    )


def _tell_who_saw(seen: Seen, witnesses: list[str], reach: int, head: Head, tally: Tally) -> None:
    """Whether others were shown the same record, and the same end of it: all the leaves that this rests on, `reach`."""
    held = seen.held
    if held is not None and seen.held_used and held.size > head.size:
        tally.proves(f"the checkpoint given from outside, of {held.size} leaves and of {held.time}, goes on from it")
    elif held is not None and seen.held_used:
        tally.proves(f"goes on from the checkpoint given from outside, of {held.time}")
    elif held is not None and seen.held_useless:
        tally.cannot_use(f"the checkpoint of {held.size} leaves, of {held.time}: {seen.held_useless}")
    elif held is not None:
        says = (
            f"the checkpoint of {held.size} leaves, of {held.time}: the export proves nothing about a head of this size"
        )
        tally.cannot_use(f"{says}. Ask for one that is bound to it, or that lists the leaves of whole days around it")
    if not witnesses and not (held is not None and seen.held_used and held.size >= head.size):
        says = "that the property shows everybody the same record up to here: no witness or checkpoint from outside"
        says = f"{says} covers its {head.size} leaves"
        if not seen.at(reach):
            says += f". This export rests on the first {reach} of them: bring a checkpoint of at least {reach} leaves,"
            says += " or the key of a witness who cosigned one"
        tally.leaves_open(says)


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
        said = f"the last opening of the property that is here says {answered.zone[:100]!r}"
        known = said if answered.zone else "none does"
        tally.leaves_open(f"that the property's time is that of {question.zone}: {known}")
    if not answered.editions:
        tally.leaves_open("that amounts owed go by the rule books tables opened under: the question names others")
    for each in question.installed:
        tally.leaves_open(f"that the edition {each[:100]!r} is the law: it did not come with the software")
    tally.leaves_open("what the question says its files hold, and what it calls the rule books")
    if answered.unseen:
        tally.leaves_open(f"what became of {answered.unseen} hands that the case links: they are not here")
    _tell_what_may_be_missing(question.scope, tally)
    tally.leaves_open("that what was recorded is true")


def _tell_what_may_be_missing(scope: Scope, tally: Tally) -> None:
    """Where single records are shown, one that is left out leaves no gap: which kinds of record that may be."""
    if not scope.in_part:
        return
    if scope.player:
        tally.leaves_open(f"that {scope.player} played no other rounds: a round left out leaves no gap")
    else:
        tally.leaves_open("that no other round belongs to what is asked: a round left out leaves no gap")
    says = (
        "that no finding about the rounds shown, no later change of one, and no correction of their facts is left out"
    )
    tally.leaves_open(f"{says}: of these streams single records are shown. Ask for the days whole to see that")
    if scope.case:
        tally.leaves_open("that no review of a finding of the case is left out: reviews stand in streams of their own")
