"""The check of a feed: run it through everything that a record does with it, without recording it."""

__all__ = ["checker", "printing", "report"]
