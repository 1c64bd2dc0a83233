"""From facts and findings to rows: what a told day, and what was written about it, comes to in the read models."""

__all__ = ["day", "findings", "record", "stream", "troubles"]
