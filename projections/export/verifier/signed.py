"""Who signed: the statement, the checkpoint, and whoever vouches for it from outside."""

from __future__ import annotations

from hashlib import sha256

from projections.export.verifier.container import Export
from projections.export.verifier.files import Files
from projections.export.verifier.keys import PropertyKeys
from projections.export.verifier.notes import Head, head_of
from projections.export.verifier.places import CHECKPOINT, QUESTION, STATEMENT, table_path
from projections.export.verifier.question import Question, question_of
from projections.export.verifier.statement import Statement, statement_of
from projections.export.verifier.trouble import AlteredError, altered
from projections.export.verifier.verdict import Asked, Tally


def signed_statement(export: Export, keys: PropertyKeys) -> Statement:
    """The statement, signed with the property's newest key."""
    statement, public = statement_of(export.read(STATEMENT)), keys.newest.public
    if not statement.signed(public):
        says = f"the signature is not of this statement by the key {sha256(public).hexdigest()}"
        raise AlteredError(says, STATEMENT, line=1)
    return statement


def signed_checkpoint(export: Export, keys: PropertyKeys) -> Head:
    """The checkpoint: signed with the property's key of that time."""
    with altered(CHECKPOINT, None, "it is no checkpoint"):
        head = head_of(export.text(CHECKPOINT))
        if not head.note.signed(keys.at(head.size)):
            raise ValueError("the property's key has not signed it")
    return head


def vouched_for(asked: Asked, keys: PropertyKeys, statement: Statement, tally: Tally) -> bool:
    """Whether a key that was given from outside leads to the one that signed."""
    if not asked.keys:
        tally.leaves_open("who made it: no key was given from outside, and one that came with it proves nothing")
        return False
    for given_key in asked.keys:
        if (key := keys.has(given_key)) is not None:
            tally.proves(f"signed by {key.name} with the key given from outside")
            return True
    says = f"it is signed with the key {statement.keyid}, and the key given from outside is another"
    raise AlteredError(says, STATEMENT)


def signed_question(export: Export, files: Files, statement: Statement) -> Question:
    """What was asked: the export has its name from it, and the statement says the same."""
    try:
        question = question_of(export.read(QUESTION))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise AlteredError(str(error), QUESTION, line=1) from error
    named, players = question.identities == "named", table_path("players")
    if named != (players in export.members):
        here, missing = "identities are tokens, and it is here", "players are said to be named, and it is not here"
        raise AlteredError(missing if named else here, players)
    if export.name != f"export-{files.digests[QUESTION][:16]}":
        raise AlteredError(f"the export is called {export.name}: the name of another question", QUESTION)
    said = {**question.texts, "name": export.name, "checkpoint": export.text(CHECKPOINT)}
    signed = statement.predicate
    if said != signed:
        of = next(name for name in {**said, **signed} if said.get(name) != signed.get(name))
        raise AlteredError(f"its {of} is another than the question and the checkpoint say", STATEMENT, line=1)
    return question


def cosigned_by(asked: Asked, head: Head, question: Question, tally: Tally) -> list[str]:
    """The witnesses given from outside who have cosigned the checkpoint, which is the one the question is asked of."""
    names = [name for name, _, _ in head.note.signatures[1:]]
    told = {"cosigned_by": names, "origin": head.origin, "root": head.root.hex(), "size": head.size}
    if question.checkpoint != {**told, "time": head.time}:
        says = "the question was asked of another checkpoint: an older or other one was put in"
        raise AlteredError(says, CHECKPOINT)
    tally.proves(f"bound to checkpoint {head.size} of {head.time}, signed by {head.origin}")
    if not asked.witnesses:
        tally.leaves_open("that the property shows everybody the same record: no witness's key was given")
    found = []
    for witness in asked.witnesses:
        with altered(CHECKPOINT, None, ""):
            at = head.note.cosigned(witness)
        if at:
            found.append(witness.name or "the witness")
            tally.proves(f"cosigned by {found[-1]} at {at}")
        else:
            tally.leaves_open(f"that {witness.name or 'the witness given'} saw it: it has not cosigned it")
    return found
