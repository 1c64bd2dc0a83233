"""The ledger: hashes, chains and seals as pure functions, without key or file handling."""

__all__ = [
    "admission",
    "audit",
    "chain",
    "checkpoint",
    "ed25519",
    "rights",
    "rotation",
    "seals",
    "source_register",
    "stretches",
    "tree",
    "witnessing",
    "writer",
]
