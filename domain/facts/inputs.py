"""Read the fact in one line that a source sends: a refusal says what to write instead.

An opening may leave out the digest of its rule book. It is then empty here, and the writer fills it in: no stored fact
lacks it. A fill or a credit without a slip may leave the slip out; the fact has an empty one. A source that signs its
lines must name both, because the signature covers them.
"""

import msgspec

from domain.facts.codec import UnreadableFactError, decode
from domain.facts.envelope import Fact
from domain.facts.explained import explained
from domain.facts.refused import Refused
from domain.facts.table_day import TableOpened

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_PLACEHOLDER = msgspec.Raw(b'"%s"' % (b"0" * 64))
# What a source may leave out: the name of the type, the field, and what is read in its place.
_FILLED_IN = (
    (b"table-opened", "book_digest", _PLACEHOLDER),
    (b"fill-received", "slip", msgspec.Raw(b'""')),
    (b"credit-sent", "slip", msgspec.Raw(b'""')),
)


class RefusedInputError(UnreadableFactError):
    """A line that is not a fact, with the refusal that says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.says)
        self.refused = refused


def read_input(stored: bytes) -> Fact:
    """Return the fact that a source's line says; what the gateway fills in may be left out."""
    try:
        return decode(stored)
    except UnreadableFactError as error:
        for kind, field, filled in _FILLED_IN:
            fact = _without(stored, field, filled) if kind in stored else None
            if fact is not None:
                return fact
        raise RefusedInputError(explained(stored, str(error))) from error


def _without(stored: bytes, field: str, filled: msgspec.Raw) -> Fact | None:
    """Return a fact that lacks this field, if nothing else is wrong with it."""
    try:
        members = _MEMBERS.decode(stored)
        if field in members or "source_signature" in members:
            return None
        fact = decode(msgspec.json.encode({**members, field: filled}))
    except (msgspec.DecodeError, UnicodeDecodeError, UnreadableFactError, RecursionError):
        return None
    return msgspec.structs.replace(fact, book_digest="") if isinstance(fact, TableOpened) else fact
