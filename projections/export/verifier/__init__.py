"""The program that goes with an export and proves it: a room a subject, laid down as one file by `one_file`."""

__all__ = ["command", "notes", "stretches", "texts", "trouble", "verdict", "verification"]
