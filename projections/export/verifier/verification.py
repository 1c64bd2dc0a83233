"""All checks in the order in which one proves the next, and a report of what the export alone cannot prove."""

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
    """Check an export step by step. The first step that finds an alteration raises it.

    The signature is checked before any step whose cost in time or memory the maker of the export could choose.
    """
    tally, export = Tally(tell), Export(file)
    tally.proves(f"container rebuilt byte for byte, {export.length} bytes, {len(export.members)} files")
    keys = PropertyKeys(export)
    statement = statement_of(export.read(STATEMENT))
    keyed = vouched_for(asked, keys, statement, tally)
    check_signature(statement, keys)
    if keyed:
        tally.proves(f"signed by {keys.newest.name} with the key given from outside")
    keys.check()
    files = Files(export)
    check_files(export, files, statement, keys)
    tally.proves(f"every file is the one signed with key {statement.keyid[:16]}")
    check_program(files, asked.program, tally)
    question, head = signed_question(export, files, statement), signed_checkpoint(export, keys)
    check_bound(head, question, tally)
    heads = earlier_heads(export, keys, head)
    check_cosigners(heads, head, question.earlier)
    if len(heads) > 1:
        first = min(heads)
        tally.proves(f"continues {len(heads) - 1} earlier checkpoints, the first of {heads[first].time}")
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
    """Report whether outsiders saw the same record, up to the last leaf this export rests on, `reach`."""
    held = seen.held
    if held is not None and seen.held_used and held.size > head.size:
        tally.proves(f"the checkpoint given from outside, of {held.size} leaves and of {held.time}, continues it")
    elif held is not None and seen.held_used:
        tally.proves(f"continues the checkpoint given from outside, of {held.time}")
    elif held is not None and seen.held_useless:
        tally.cannot_use(f"the checkpoint of {held.size} leaves, of {held.time}: {seen.held_useless}")
    elif held is not None:
        says = (
            f"the checkpoint of {held.size} leaves, of {held.time}: the export proves nothing about a head of this size"
        )
        tally.cannot_use(f"{says}. Ask for an export bound to it, or one that lists the leaves of whole days around it")
    if not witnesses and not (held is not None and seen.held_used and held.size >= head.size):
        says = "that the property shows everyone the same record up to here: no witness or checkpoint from outside"
        says = f"{says} covers its {head.size} leaves"
        if not seen.at(reach):
            says += f". This export rests on the first {reach} of them: bring a checkpoint of at least {reach} leaves,"
            says += " or the key of a witness who cosigned one"
        tally.leaves_open(says)


def _check_written(export: Export, tally: Tally) -> None:
    """Check the tables: those that follow from others, and the written form of all."""
    check_lists(export)
    if table_path("players") in export.members:
        check_players(export)
    count = check_tables(export)
    also = ", and the workbook cell by cell" if WORKBOOK in export.members else ""
    tally.proves(f"{count} rows of tables are in canonical form{also}")


NEEDS_MORE = {
    "amounts owed, and what depends on them": "this needs the rule books. It is house, void_clause, owed_cents, "
    "decided and undecided in rounds; holds, owed_cents and difference_cents in hands; owed_cents, difference_cents, "
    "clause, basis and undecided in wagers; errors as far as they depend on these; all of coverage",
    "the decks": "deck in rounds, all of deck_ledger, and in card_record the deck of counts and determinations",
    "clause_texts in findings": "they are the words of the clause register",
}


def _tell_the_rest(export: Export, question: Question, answered: Answered, tally: Tally) -> None:
    """Report what cannot be derived from the export."""
    for what, why in NEEDS_MORE.items():
        tally.leaves_open(f"{what}: {why}")
    if files := [path for path in ("data/report.pdf", "data/facts.parquet") if path in export.members]:
        tally.leaves_open(f"the contents of {' and '.join(files)}: they are covered by the signature only")
    if believed := [path for path in (LEFT_OUT, TOLD_ROUNDS, table_path("players")) if path in export.members]:
        tally.leaves_open(f"the contents of {' and '.join(believed)}, which are trusted")
    if answered.zone != question.zone:
        said = f"the property's last opening here says {answered.zone[:100]!r}"
        known = said if answered.zone else "no opening here says so"
        tally.leaves_open(f"that the property's time is that of {question.zone}: {known}")
    if not answered.editions:
        tally.leaves_open(
            "that amounts owed follow the rule books under which the tables opened: the question names others"
        )
    for each in question.installed:
        tally.leaves_open(f"that the edition {each[:100]!r} is the law: it did not come with the software")
    tally.leaves_open("what the question says its files hold, and what it calls the rule books")
    if answered.unseen:
        tally.leaves_open(f"the outcome of {answered.unseen} hands that the case links: they are not here")
    _tell_what_may_be_missing(question.scope, tally)
    tally.leaves_open("that what was recorded is true")


def _tell_what_may_be_missing(scope: Scope, tally: Tally) -> None:
    """Report the kinds of record that may be missing: if single records are shown, a missing one leaves no gap."""
    if not scope.in_part:
        return
    if scope.player:
        tally.leaves_open(f"that {scope.player} played no other rounds: a missing round leaves no gap")
    else:
        tally.leaves_open("that the question covers no other round: a missing round leaves no gap")
    says = "that no finding about the rounds shown, no later change of one and no correction of their facts is missing"
    tally.leaves_open(f"{says}: only single records of these streams are shown. Ask for whole days to prove that")
    if scope.case:
        tally.leaves_open("that no review of a finding of the case is missing: reviews are in their own streams")
