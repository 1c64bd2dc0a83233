"""The refusals of the writer and of admission, with the field that each one is about and what came in it."""

import msgspec

from domain.facts.codec import name_of
from domain.facts.envelope import Fact
from domain.facts.explained import shown
from domain.facts.refused import Refused

_FIELDS = {
    **dict.fromkeys(("source-unknown", "source-revoked", "source-unproved", "gateways-own"), "source"),
    **dict.fromkeys(("signature-missing", "signature-wrong"), "source_signature"),
    **dict.fromkeys(("stream-not-its-own", "wrong-stream", "stream unnamed"), "stream"),
    **dict.fromkeys(("day not open", "day closed", "another day open"), "stream"),
    **dict.fromkeys(("kind-not-allowed", "registrars-own", "seals are the writer's"), "type"),
    **dict.fromkeys(("day-too-far", "day already opened"), "gaming_day"),
    "key-weak": "public_key",
    "time-out-of-bounds": "at",
    "already numbered": "sequence",
    "key used for another fact": "source_key",
}


def with_parts(reason: str, says: str, fact: Fact | None) -> Refused:
    """Return the refusal of a fact for this reason; the code is the reason without its spaces."""
    name, field = ("", "") if fact is None else (name_of(fact), _FIELDS.get(reason, ""))
    value = name if field == "type" else getattr(fact, field, None)
    came = shown(msgspec.json.encode(value)) if value else ""
    return Refused(reason.replace(" ", "-"), says, name, field, came)
