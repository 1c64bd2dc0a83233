"""The published contracts, generated from the types: schemas, documents that list them, and bindings for clients."""

__all__ = ["pages", "schemas"]
