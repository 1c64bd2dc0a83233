"""Check who signed the statement and the checkpoint, and who vouches for them from outside."""

from __future__ import annotations

from hashlib import sha256

from projections.export.verifier.container import Export
from projections.export.verifier.files import Files
from projections.export.verifier.heads import Seen
from projections.export.verifier.keys import PropertyKeys, same_key
from projections.export.verifier.notes import Head, head_of
from projections.export.verifier.places import CHECKPOINT, QUESTION, STATEMENT, table_path
from projections.export.verifier.question import Question, question_of
from projections.export.verifier.statement import Statement
from projections.export.verifier.texts import canonical
from projections.export.verifier.trouble import AlteredError, MisgivenError, altered
from projections.export.verifier.verdict import Asked, Tally


def check_signature(statement: Statement, keys: PropertyKeys) -> None:
    """Check that the property's newest key signed the statement."""
    public = keys.newest.public
    if not statement.signed(public):
        says = f"the signature is not a signature of this statement by the key {sha256(public).hexdigest()}"
        raise AlteredError(says, STATEMENT, line=1)


def signed_checkpoint(export: Export, keys: PropertyKeys) -> Head:
    """Return the checkpoint, signed with the key the property had at that time."""
    with altered(CHECKPOINT, None, "it is not a checkpoint"):
        head = head_of(export.text(CHECKPOINT))
        if not head.note.signed(keys.at(head.size)):
            raise ValueError("it is not signed with the property's key")
    return head


def vouched_for(asked: Asked, keys: PropertyKeys, statement: Statement, tally: Tally) -> bool:
    """Return whether a key given from outside is the one that signed. A replaced key does not count."""
    _check_not_swapped(asked, keys, statement)
    used = False
    for given in asked.keys:
        name = given.name or given.public.hex()[:16]
        since = keys.ended(given)
        if same_key(given, keys.newest):
            used = True
        elif since is not None:
            says = f"the key {name}: another key replaced it from size {since} on, and an old key vouches for nothing"
            tally.cannot_use(f"{says}. Ask the property, and its regulator, for the current key")
        else:
            tally.cannot_use(f"the key {name}: it is not a key of this export's property")
    if used:
        return True
    if not asked.keys:
        tally.leaves_open("who made it: no key was given from outside, and a key that came with it proves nothing")
    elif all(keys.ended(given) is None for given in asked.keys):
        says = f"it is signed with the key {statement.keyid}, not with the key given from outside: it is forged,"
        raise AlteredError(f"{says} or the property has a new key; ask the source of your key", STATEMENT)
    else:
        tally.leaves_open("who made it: the key given from outside is not the property's current key")
    return False


def _check_not_swapped(asked: Asked, keys: PropertyKeys, statement: Statement) -> None:
    """Raise if a witness's key was given as the property's, or the reverse."""
    if any(keys.tells(given) for given in asked.witnesses):
        raise MisgivenError("a key given with --witness is the property's: give it with --key")
    strangers = [given for given in asked.keys if not keys.tells(given)]
    try:
        note = head_of(str(statement.predicate.get("checkpoint", ""))).note if strangers else None
        swapped = note is not None and any(note.cosigned(given)[0] for given in strangers)
    except ValueError:  # an error in the checkpoint is reported when its turn comes
        return
    if swapped:
        raise MisgivenError("a key given with --key belongs to a witness who cosigned it: give it with --witness")


def signed_question(export: Export, files: Files, statement: Statement) -> Question:
    """Return the question, checked against the name of the export and the statement."""
    try:
        question = question_of(export.read(QUESTION))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise AlteredError(str(error), QUESTION, line=1) from error
    named, players = question.identities == "named", table_path("players")
    if named != (players in export.members):
        here, missing = "it is here, but identities are tokens", "it is not here, but players are to be named"
        raise AlteredError(missing if named else here, players)
    if export.name != f"export-{files.digests[QUESTION][:16]}":
        raise AlteredError(f"the export is called {export.name}, which is the name of another question", QUESTION)
    said = {**question.texts, "name": export.name, "checkpoint": export.text(CHECKPOINT)}
    signed = statement.predicate
    if said != signed:
        of = next(name for name in {**said, **signed} if said.get(name) != signed.get(name))
        raise AlteredError(f"its {of} differs from the question and the checkpoint", STATEMENT, line=1)
    return question


def check_bound(head: Head, question: Question, tally: Tally) -> None:
    """Check that the checkpoint, with its cosignatures, is the one the question is bound to."""
    names = list(head.note.cosigners(head.origin))
    told = {"cosigned_by": names, "earlier": question.earlier, "origin": head.origin, "root": head.root.hex()}
    if canonical(question.checkpoint) != canonical({**told, "size": head.size, "time": head.time}):
        says = "the question is bound to a different checkpoint: this one was put in later"
        raise AlteredError(says, CHECKPOINT)
    tally.proves(f"bound to checkpoint {head.size} of {head.time}, signed by {head.origin}")


def tell_of_witnesses(asked: Asked, seen: Seen, head: Head, tally: Tally) -> list[str]:
    """Return the given witnesses who cosigned the checkpoint; report unused keys and unchecked cosignatures."""
    here = seen.by_size.get(head.size, [])
    for saw in here:
        tally.proves(f"cosigned by {saw.who} at {saw.time}")
    for witness in asked.witnesses:
        if witness not in seen.used:
            name = witness.name or f"the witness with the key {witness.public.hex()[:16]}"
            tally.cannot_use(f"the key of {name}, who cosigned no head in this export")
    names = {name for each in seen.heads.values() for name in each.note.cosigners(head.origin)}
    checked = {saw.who for found in seen.by_size.values() for saw in found}
    if unchecked := sorted(names - checked):
        told = ", ".join(unchecked[:20]) + (f" and {len(unchecked) - 20} more" if len(unchecked) > 20 else "")
        tally.leaves_open(f"the cosignatures of {told}: no key was given to check them")
    return [saw.who for saw in here]
