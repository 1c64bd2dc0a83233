"""The statement: who ordered and signed what, over the hashes of the manifests and the question."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, NamedTuple

from projections.export.verifier.places import MANIFEST, QUESTION, STATEMENT, TAGMANIFEST
from projections.export.verifier.signatures import signed_by
from projections.export.verifier.texts import canonical, from_base64, parsed
from projections.export.verifier.trouble import AlteredError

PAYLOAD_TYPE = "application/vnd.in-toto+json"
SUBJECTS = (QUESTION, MANIFEST, TAGMANIFEST)


class Statement(NamedTuple):
    """The contents of the envelope."""

    keyid: str
    signature: bytes
    payload: bytes
    subjects: dict[str, str]
    predicate: dict[str, Any]

    def signed(self, public: bytes) -> bool:
        """Return whether this key signed it."""
        words = b"DSSEv1 %d %s %d %s" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(self.payload), self.payload)
        return self.keyid == sha256(public).hexdigest() and signed_by(public, self.signature, words)


def statement_of(stored: bytes) -> Statement:
    """Return the statement in its envelope; raise unless both are in canonical form."""
    try:
        envelope = parsed(stored)
        (signature,) = envelope["signatures"]
        payload = from_base64(envelope["payload"])
        said = parsed(payload)
        keyid, value = signature["keyid"], from_base64(signature["sig"])
        again = {
            "payload": envelope["payload"],
            "payloadType": PAYLOAD_TYPE,
            "signatures": [{"keyid": keyid, "sig": signature["sig"]}],
        }
        digests = {subject["name"]: subject["digest"]["sha256"] for subject in said["subject"]}
        of = {"predicate": said["predicate"], "subject": [_subject(name, digests[name]) for name in SUBJECTS]}
        of.update({"_type": "https://in-toto.io/Statement/v1", "predicateType": "urn:catwalk:export:1"})
        if canonical(again).encode() + b"\n" != stored or canonical(of).encode() != payload:
            raise ValueError("it is not written like a statement")
        if not isinstance(said["predicate"], dict):
            raise TypeError
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        says = f"this is not a signed statement about an export: {error or 'a part is of another kind'}"
        raise AlteredError(says, STATEMENT, line=1) from error
    return Statement(str(keyid), value, payload, digests, said["predicate"])


def _subject(name: str, digest: str) -> dict[str, Any]:
    return {"digest": {"sha256": digest}, "name": name}
