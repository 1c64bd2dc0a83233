"""The files of an export by their paths, and what each kind holds, in a sentence that goes with the question."""

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
    Holds("data/corrections-left-out.jsonl", "Corrections whose result is no fact, and which change nothing"),
    Holds("data/desk/STREAM.jsonl", "Cases, reviews and access as they are stored, a record a line"),
    Holds("data/facts.parquet", "All facts of data/facts in one table"),
    Holds("data/facts/STREAM.jsonl", "Facts as they are stored, one a line, by sequence"),
    Holds("data/findings/STREAM.jsonl", "What verifiers wrote, and their seals, as it is stored, a record a line"),
    Holds("data/keys/devices.jsonl", "The public keys that seal, as the property's facts tell of them"),
    Holds("data/keys/property.pub", "The property's public key"),
    Holds("data/keys/rotations.jsonl", "The signed notes that tell the property's keys, the first one first"),
    Holds("data/proofs/after.jsonl", "Every leaf of the tree behind the last one of a stream that is still open"),
    Holds("data/proofs/checkpoint.txt", "The signed checkpoint this export is bound to"),
    Holds("data/proofs/earlier.jsonl", "Earlier checkpoints, each with the proof that this one goes on from it"),
    Holds(
        "data/proofs/leaves.jsonl", "Every leaf of the tree since before the days asked for: none of them is left out"
    ),
    Holds("data/proofs/records/KIND/STREAM.jsonl", "Where each record of a stream shown in part stands in its stretch"),
    Holds("data/proofs/stretches/KIND/STREAM.jsonl", "Where each stretch of a stream stands in the property's tree"),
    Holds("data/question.json", "What was asked"),
    Holds("data/report.pdf", "The report"),
    Holds("data/rounds.jsonl", "The round of facts that name none, where not all of a stream is shown"),
    Holds("data/streams.jsonl", "Which streams are here, and whether whole"),
    Holds("data/tables.xlsx", "The tables, a sheet each; left out where they have more than 1,000,000 rows"),
    Holds("data/tables/TABLE.csv", f"The tables {', '.join(name for name in TABLES if name != PLAYERS)}"),
)
