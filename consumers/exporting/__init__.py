"""Exports: the record read up to a checkpoint, the files made of it, the container, and who ordered and signed it."""

__all__ = ["asking", "making", "orders", "selecting", "staging"]
