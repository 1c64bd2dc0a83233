"""The dispute pack: one hand of the record with all that belongs to it, and the evidence beside it."""

__all__ = ["evidence", "gathering"]
