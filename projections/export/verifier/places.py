"""The paths of the files of an export."""

from __future__ import annotations

import re

TAGS = ("HOW-TO-VERIFY.txt", "bag-info.txt", "bagit.txt", "manifest-sha256.txt", "pieces-sha256.txt", "verify.py")
MANIFEST, TAGMANIFEST, PIECES, STATEMENT = TAGS[3], "tagmanifest-sha256.txt", TAGS[4], "statement.dsse.json"
QUESTION, STREAMS, CHECKPOINT = "data/question.json", "data/streams.jsonl", "data/proofs/checkpoint.txt"
EARLIER, AFTER, LEAVES = (f"data/proofs/{name}.jsonl" for name in ("earlier", "after", "leaves"))
SELF_TELLING = ("data/facts/", "data/findings/", "data/desk/", "data/proofs/stretches/", "data/proofs/records/")
UNLISTED = (MANIFEST, TAGMANIFEST, PIECES, STATEMENT, EARLIER, AFTER)
ROTATIONS, DEVICES, PUBLIC = "data/keys/rotations.jsonl", "data/keys/devices.jsonl", "data/keys/property.pub"
LEFT_OUT, TOLD_ROUNDS = "data/corrections-left-out.jsonl", "data/rounds.jsonl"
WORKBOOK = "data/tables.xlsx"


def table_path(name: str) -> str:
    """Return the path of a table."""
    return f"data/tables/{name}.csv"


_STREAM = r"[A-Za-z0-9][A-Za-z0-9_.+-]*/[A-Za-z0-9][A-Za-z0-9_.-]*~?"
PLACES = re.compile(
    r"bagit\.txt|bag-info\.txt|manifest-sha256\.txt|tagmanifest-sha256\.txt|pieces-sha256\.txt|statement\.dsse\.json"
    r"|verify\.py|HOW-TO-VERIFY\.txt|data/question\.json|data/streams\.jsonl|data/rounds\.jsonl"
    r"|data/corrections-left-out\.jsonl|data/facts\.parquet|data/tables/[a-z_]+\.csv|data/tables\.xlsx|data/report\.pdf"
    r"|data/(?:facts|findings|desk|proofs/(?:stretches|records)/(?:facts|findings|desk))/" + _STREAM + r"\.jsonl"
    r"|data/proofs/checkpoint\.txt|data/proofs/earlier\.jsonl|data/proofs/after\.jsonl|data/proofs/leaves\.jsonl"
    r"|data/keys/property\.pub|data/keys/rotations\.jsonl|data/keys/devices\.jsonl"
)
NEEDED = (
    *("bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "pieces-sha256.txt"),
    *("statement.dsse.json", "verify.py", "HOW-TO-VERIFY.txt", "data/question.json", "data/streams.jsonl"),
    *("data/proofs/checkpoint.txt", "data/proofs/earlier.jsonl", "data/keys/property.pub"),
    *("data/keys/rotations.jsonl", "data/keys/devices.jsonl"),
)
MAY_BE_EMPTY = frozenset(("data/streams.jsonl", "data/proofs/earlier.jsonl", "data/keys/devices.jsonl"))
