"""The room's questions as commands, with answers as a table, JSON or CSV."""

__all__ = ["floor", "forms", "hands", "place", "shell", "statistics"]
