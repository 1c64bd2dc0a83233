"""The property's tree: its keeper, its signatures, its witnesses, and the check of the record against it."""

__all__ = ["clock", "holding", "keeper", "keys", "proving", "published", "running", "tree_file", "witness"]
