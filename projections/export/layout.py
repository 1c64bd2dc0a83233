"""The paths of an export's files, and for each kind a sentence about its contents, which is part of the question."""

from typing import Final

from projections.export.columns import PLAYERS, TABLES
from projections.export.question import Holds

QUESTION: Final = "data/question.json"
STREAMS: Final = "data/streams.jsonl"
ROUNDS: Final = "data/rounds.jsonl"
LEFT_OUT: Final = "data/corrections-left-out.jsonl"
PARQUET: Final = "data/facts.parquet"
WORKBOOK: Final = "data/tables.xlsx"
REPORT: Final = "data/report.pdf"
CHECKPOINT: Final = "data/proofs/checkpoint.txt"
EARLIER: Final = "data/proofs/earlier.jsonl"
AFTER: Final = "data/proofs/after.jsonl"
LEAVES: Final = "data/proofs/leaves.jsonl"
PROPERTY_KEY: Final = "data/keys/property.pub"
ROTATIONS: Final = "data/keys/rotations.jsonl"
DEVICES: Final = "data/keys/devices.jsonl"
VERIFIER: Final = "verify.py"
HOW_TO: Final = "HOW-TO-VERIFY.txt"
STATEMENT: Final = "statement.dsse.json"
MANIFEST: Final = "manifest-sha256.txt"
TAG_MANIFEST: Final = "tagmanifest-sha256.txt"
PIECES: Final = "pieces-sha256.txt"
BAGIT: Final = "bagit.txt"
BAG_INFO: Final = "bag-info.txt"

HOLDS: Final = (
    Holds("data/corrections-left-out.jsonl", "Corrections that would not give a valid fact and change nothing"),
    Holds("data/desk/STREAM.jsonl", "Cases, reviews and access as stored, one record per line"),
    Holds("data/facts.parquet", "All facts of data/facts in one table"),
    Holds("data/facts/STREAM.jsonl", "Facts as stored, one per line, by sequence"),
    Holds("data/findings/STREAM.jsonl", "Findings and their seals as stored, one record per line"),
    Holds("data/keys/devices.jsonl", "The public keys that seal, as registered in the property's facts"),
    Holds("data/keys/property.pub", "The property's public key"),
    Holds("data/keys/rotations.jsonl", "The signed notes that register the property's keys, in order"),
    Holds("data/proofs/after.jsonl", "Every leaf of the tree after the last one of a stream that is still open"),
    Holds("data/proofs/checkpoint.txt", "The signed checkpoint this export is bound to"),
    Holds("data/proofs/earlier.jsonl", "Earlier checkpoints, each with the proof that this one continues it"),
    Holds("data/proofs/leaves.jsonl", "Every leaf of the tree since before the requested days: none is missing"),
    Holds(
        "data/proofs/records/KIND/STREAM.jsonl", "The place of each record in its stretch, for a stream shown in part"
    ),
    Holds("data/proofs/stretches/KIND/STREAM.jsonl", "The place of each stretch of a stream in the property's tree"),
    Holds("data/question.json", "The question"),
    Holds("data/report.pdf", "The report"),
    Holds("data/rounds.jsonl", "The rounds of facts that name none, for streams shown in part"),
    Holds("data/streams.jsonl", "The streams in the export, each whole or in part"),
    Holds("data/tables.xlsx", "The tables, one sheet each; omitted if they have more than 1,000,000 rows"),
    Holds("data/tables/TABLE.csv", f"The tables {', '.join(name for name in TABLES if name != PLAYERS)}"),
)
