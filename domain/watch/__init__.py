"""The watch over the record: detectors, findings, and the verifier that runs detectors over a stream."""

__all__ = [
    "claims",
    "corrected",
    "feed_watch",
    "finding",
    "findings_stream",
    "lasting",
    "needed",
    "owed",
    "owed_vs_paid",
    "pairs_following",
    "reconstruction",
    "record",
    "record_audit",
    "record_seals",
    "record_watch",
    "table_claims",
    "table_pairs",
    "undecided",
    "verifier",
    "what_if",
]
