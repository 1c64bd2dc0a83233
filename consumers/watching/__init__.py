"""Verification of a log of facts: facts in, findings out."""

__all__ = [
    "finding_hands",
    "finding_lines",
    "hand_page",
    "hand_text",
    "letters",
    "reading",
    "replay",
    "saying_when",
    "sealing",
    "shown",
    "standing",
    "tables_watcher",
    "two_tables",
    "watcher",
    "writing",
]
