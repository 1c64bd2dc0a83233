"""The statement about an export, signed with the property's key: what it answers, and who stands for it."""

import base64
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final

from projections.export.question import Question, canonical

PAYLOAD_TYPE: Final = "application/vnd.in-toto+json"
_TYPE = "https://in-toto.io/Statement/v1"
_PREDICATE = "urn:catwalk:export:1"
SUBJECTS: Final = ("data/question.json", "manifest-sha256.txt", "tagmanifest-sha256.txt")


def statement(question: Question, note: str, digests: Mapping[str, str]) -> bytes:
    """What is said: the digests of the subjects, and what the export answers."""
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
    """What the signature is over: the type as well, so that it is not taken for a statement of another kind."""
    return b"DSSEv1 %d %b %d %b" % (len(PAYLOAD_TYPE), PAYLOAD_TYPE.encode(), len(payload), payload)


def envelope(payload: bytes, sign: Callable[[bytes], bytes], public: bytes) -> bytes:
    """The bytes of `statement.dsse.json`."""
    signature = base64.b64encode(sign(signed_words(payload))).decode()
    told = {
        "payload": base64.b64encode(payload).decode(),
        "payloadType": PAYLOAD_TYPE,
        "signatures": [{"keyid": sha256(public).hexdigest(), "sig": signature}],
    }
    return canonical(told) + b"\n"
