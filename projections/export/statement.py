"""The statement about an export, signed with the property's key: the question, and who ordered and signed it."""

import base64
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from projections.export.question import ExportQuestion, canonical

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_TYPE = "https://in-toto.io/Statement/v1"
_PREDICATE = "urn:catwalk:export:1"
SUBJECTS: Final = ("data/question.json", "manifest-sha256.txt", "tagmanifest-sha256.txt")


def statement(question: ExportQuestion, note: str, digests: Mapping[str, str]) -> bytes:
    """Return the statement: the digests of the subjects, and the question the export answers."""
    return canonical(
        {
            "_type": _TYPE,
            "predicateType": _PREDICATE,
            "subject": [{"digest": {"sha256": digests[name]}, "name": name} for name in SUBJECTS],
            "predicate": {
                "checkpoint": note,
                "name": question.name,
                "ordered_by": question.ordered_by,
                "purpose": question.purpose,
                "recipient": question.recipient,
                "signed_by": question.signed_by,
                "software": question.software,
            },
        }
    )


def signed_words(payload: bytes) -> bytes:
    """Return the signed bytes, which include the type, so that no statement passes for one of another type."""
    return b"DSSEv1 %d %b %d %b" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)


def envelope(payload: bytes, sign: Callable[[bytes], bytes], public: bytes) -> bytes:
    """Return the bytes of `statement.dsse.json`."""
    signature = base64.b64encode(sign(signed_words(payload))).decode()
    told = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": sha256(public).hexdigest(), "sig": signature}],
    }
    return canonical(told) + b"\n"
