"""The line that identifies a client: a source with its secret, or a console command with its token.

`{"source":"T7-reader","secret":"…"}`. It is not a fact and is not recorded; a wrong secret becomes a dead letter
without the secret.
"""

import re
from hashlib import sha256
from hmac import compare_digest
from typing import Literal

import msgspec

_LONGEST = 4096
Role = Literal["console", "registrar", "retry", "vouch"]
_SECRET = re.compile(rb'("secret"\s*:\s*")[^"]*')


class Greeting(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The identity that a client claims, and the secret that proves it."""

    secret: str
    source: str = ""  # empty for a console command, which has the token of this gateway's own file
    role: Role = "console"  # the rights that a console command asks for
    name: str = ""  # the origin of its lines

    @property
    def kept(self) -> bytes:
        """The part that may be stored."""
        return msgspec.json.encode({"source": self.source, "secret": "(not kept)"})


def greeting(stored: bytes) -> Greeting | None:
    """The greeting in a line, or None."""
    if b'"secret"' not in stored or len(stored) > _LONGEST:
        return None
    try:
        return msgspec.json.decode(stored, type=Greeting)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def without_secret(stored: bytes) -> bytes:
    """An unreadable line in a form that may be stored: it may be a misspelled greeting with a secret."""
    misspelt = b'"secret"' in stored and b'"type"' not in stored
    return _SECRET.sub(rb"\1(not kept)", stored) if misspelt else stored


def is_secret(given: str, digest: str) -> bool:
    """Whether this is the secret with the recorded SHA-256; takes the same time either way."""
    return bool(digest) and compare_digest(digest_of(given), digest)


def digest_of(secret: str) -> str:
    """The SHA-256 of a secret, as the record holds it."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
