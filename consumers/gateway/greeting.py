"""The line by which a client says who it is: a source with its secret, or a command of the console with its token.

`{"source":"T7-reader","secret":"…"}`. It is no fact and goes on no record; a secret that is wrong is a dead letter
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
    """Who a client says it is, and the secret that only they have."""

    secret: str
    source: str = ""  # empty: a command at the console, with the token of this gateway's own file
    role: Role = "console"  # the rights that a command at the console asks for
    name: str = ""  # and where its lines come from

    @property
    def kept(self) -> bytes:
        """What may be kept of it."""
        return msgspec.json.encode({"source": self.source, "secret": "(not kept)"})


def greeting(stored: bytes) -> Greeting | None:
    """The greeting in a line; nothing, where it is none."""
    if b'"secret"' not in stored or len(stored) > _LONGEST:
        return None
    try:
        return msgspec.json.decode(stored, type=Greeting)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def without_secret(stored: bytes) -> bytes:
    """A line nobody can read, as it may be kept: somebody may have misspelt a greeting."""
    misspelt = b'"secret"' in stored and b'"type"' not in stored
    return _SECRET.sub(rb"\1(not kept)", stored) if misspelt else stored


def is_secret(given: str, digest: str) -> bool:
    """Whether this is the secret whose SHA-256 is on record; takes the same time either way."""
    return bool(digest) and compare_digest(sha256(given.encode("utf-8", "surrogatepass")).hexdigest(), digest)
