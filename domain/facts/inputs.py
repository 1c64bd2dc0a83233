"""Read the fact in one line that a source sends: a refusal says what to write instead.

An opening may leave out the digest of its rule book. It is then empty here, and the writer fills it in: no stored fact
lacks it. A source that signs its lines must name it, because the signature covers it.
"""

import msgspec

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.explained import explained
from domain.facts.refused import Refused
from domain.facts.table_day import TableOpened

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_PLACEHOLDER = msgspec.Raw(b'"%s"' % (b"0" * 64))
_OPENING = b"table-opened"


class RefusedInputError(UnreadableFactError):
    """A line that is not a fact, with the refusal that says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.says)
        self.refused = refused


def read_input(stored: bytes) -> Fact:
    """Return the fact that a source's line says; an opening may come without the digest of its rule book."""
    try:
        return decode(stored)
    except UnreadableFactError as error:
        opened = _without_digest(stored) if _OPENING in stored else None
        if opened is not None:
            return opened
        raise RefusedInputError(explained(stored, str(error))) from error


def _without_digest(stored: bytes) -> Fact | None:
    """Return an opening that names no digest, if nothing else is wrong with it."""
    try:
        members = _MEMBERS.decode(stored)
        if "book_digest" in members or "source_signature" in members:
            return None
        opened = decode(msgspec.json.encode({**members, "book_digest": _PLACEHOLDER}))
    except (msgspec.DecodeError, UnicodeDecodeError, UnreadableFactError, RecursionError):
        return None
    return msgspec.structs.replace(opened, book_digest="") if isinstance(opened, TableOpened) else None
