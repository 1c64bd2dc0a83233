"""The property's tree: kept, signed, shown to witnesses, proved against the record."""

__all__ = ["clock", "holding", "keeper", "keys", "proving", "published", "running", "tree_file", "witness"]
