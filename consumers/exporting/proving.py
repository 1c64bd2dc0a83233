"""An export taken apart again before anybody gets it, by the program that goes with it."""

from pathlib import Path

from consumers.gateway.keys import verify as signature_holds
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

    Every signature of a gateway and of a source is checked. Plain Python would take a thousandth of a second for each,
    so OpenSSL works out the equation, behind the same rule of which keys and signatures may be.
    """
    asked = Asked([KeyFromOutside(key.name, key.public)], program=one_file.digest(), holds=signature_holds)
    try:
        with file.open("rb") as stored:
            verify(stored, asked)
    except (AlteredError, UnreadableError) as error:
        raise NotProvedError(f"what was made of the record cannot be proved: {error}. Run catwalk doctor") from error
