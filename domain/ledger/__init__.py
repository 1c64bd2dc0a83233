"""The ledger: hashes, chains and seals as pure functions, without key or file handling."""

__all__ = [
    "admission",
    "audit",
    "chain",
    "checkpoint",
    "declared",
    "ed25519",
    "keys_used",
    "plausible",
    "refusal_parts",
    "rights",
    "rotation",
    "seals",
    "source_register",
    "stretches",
    "tree",
    "witnessing",
    "writer",
]
