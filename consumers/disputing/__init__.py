"""The dispute pack: one hand of the record with everything that belongs to it, and its evidence."""

__all__ = ["evidence", "gathering"]
