"""Check a finished export with its own program before anyone receives it."""

from pathlib import Path

from consumers.gateway.keys import verify as signature_holds
from domain.ledger.checkpoint import NoteKey
from projections.export import one_file
from projections.export.proofs import DisagreeError
from projections.export.verifier.notes import Key as KeyFromOutside
from projections.export.verifier.trouble import AlteredError, UnreadableError
from projections.export.verifier.verdict import Asked
from projections.export.verifier.verification import verify


class NotProvedError(DisagreeError):
    """An export that its receiver's check would reject."""


def check(file: Path, key: NoteKey) -> None:
    """Raise an error if the receiver's check would report an alteration.

    Every signature of a gateway and of a source is checked. Plain Python would take a thousandth of a second for each,
    so OpenSSL computes the equation, under the same rules for valid keys and signatures.
    """
    asked = Asked([KeyFromOutside(key.name, key.public)], program=one_file.digest(), holds=signature_holds)
    try:
        with file.open("rb") as stored:
            verify(stored, asked)
    except (AlteredError, UnreadableError) as error:
        raise NotProvedError(f"the finished export fails its own check: {error}. Run catwalk doctor") from error
