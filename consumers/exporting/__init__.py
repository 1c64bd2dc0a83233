"""Exports: reading the record up to a checkpoint, the files, the container, and the orders and signatures."""

__all__ = ["asking", "making", "orders", "selecting", "staging"]
