"""The ledger: hashes, chains and seals, pure; keys and files are others' business."""

__all__ = [
    "admission",
    "audit",
    "chain",
    "checkpoint",
    "ed25519",
    "links",
    "rights",
    "rotation",
    "seals",
    "source_register",
    "stretches",
    "tree",
    "witnessing",
    "writer",
]
