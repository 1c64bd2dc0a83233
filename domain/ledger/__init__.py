"""The ledger: hashes, chains and seals, pure; keys and files are others' business."""
