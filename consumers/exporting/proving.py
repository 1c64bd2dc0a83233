"""An export taken apart again before anybody gets it, by the program that goes with it."""

from pathlib import Path

from domain.ledger.checkpoint import Key
from projections.export import one_file
from projections.export.proofs import DisagreeError
from projections.export.verifier.notes import Key as KeyFromOutside
from projections.export.verifier.trouble import AlteredError, UnreadableError
from projections.export.verifier.verdict import Asked
from projections.export.verifier.verification import verify


class NotProvedError(DisagreeError):
    """What was made would not be proved where it is received."""


def check(file: Path, key: Key) -> None:
    """Raises where its receiver would be told that something was altered.

    The signature of every seal would take longer than all the rest: of each whole stream the last one's is checked, and
    of all the others that their keys may seal there. `catwalk doctor` checks them all.
    """
    asked = Asked([KeyFromOutside(key.name, key.public)], seals="last", program=one_file.digest())
    try:
        with file.open("rb") as stored:
            verify(stored, asked)
    except (AlteredError, UnreadableError) as error:
        raise NotProvedError(f"what was made of the record cannot be proved: {error}. Run catwalk doctor") from error
