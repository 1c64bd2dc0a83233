"""The keys that sources use: each key names one fact. The same fact again is a repeat, and other content is refused."""

from hashlib import blake2b
from typing import Final

import msgspec

from domain.facts.envelope import Fact
from domain.facts.refused import Refused
from domain.facts.table_day import TableOpened
from domain.ledger.refusal_parts import with_parts
from domain.ledger.writer import Refusal, content, with_edition

KEY_TAKEN: Final[Refusal] = "key used for another fact"
_DIGEST_SIZE = 16  # bytes of memory for a key and for its content


class KeyUse(msgspec.Struct, frozen=True, gc=False):
    """An input, its key and content as digests, and the content that came with this key before."""

    fact: Fact  # an opening with its edition
    key: bytes
    said: bytes
    known: bytes | None

    @property
    def repeats(self) -> bool:
        """Whether the same fact came before."""
        return self.known == self.said

    @property
    def conflicts(self) -> bool:
        """Whether the key names another fact."""
        return self.known is not None and self.known != self.said


class KeysUsed:
    """The key and content of each fact taken, in memory: two digests a fact."""

    def __init__(self) -> None:
        self._said: dict[bytes, bytes] = {}

    def use(self, fact: Fact) -> KeyUse:
        """Return what is known of this input's key."""
        key = key_digest(fact.source, fact.source_key)
        known = self._said.get(key)
        fact = with_edition(fact, known.hex() if known is not None else "")
        said = bytes.fromhex(content(fact))
        # An opening's whole digest finds its edition again.
        return KeyUse(fact, key, said if isinstance(fact, TableOpened) else said[:_DIGEST_SIZE], known)

    def take(self, use: KeyUse) -> None:
        """Remember the key of a fact that got a place."""
        self._said[use.key] = use.said


def key_digest(source: str, source_key: str) -> bytes:
    """Return the digest of a source's key."""
    return blake2b(f"{source}\n{source_key}".encode("utf-8", "surrogatepass"), digest_size=_DIGEST_SIZE).digest()


def key_taken(fact: Fact) -> Refused:
    """Return the refusal of an input whose key names another fact."""
    says = f"{fact.source} already used the key {fact.source_key} for another fact: use each key once"
    return with_parts(KEY_TAKEN, says, fact)
