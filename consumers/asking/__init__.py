"""The questions a room asks, as commands: the same answer as a table, as JSON and as CSV."""

__all__ = ["floor", "forms", "hands", "place", "shell", "statistics"]
