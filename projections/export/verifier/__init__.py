"""The program that goes with an export and proves it: a room a subject, laid down as one file by `one_file`."""

__all__ = ["columns", "command", "notes", "stretches", "texts", "trouble", "verdict", "verification"]
