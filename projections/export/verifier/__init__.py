"""The program that verifies an export: one module per subject, joined into one file by `one_file`."""

__all__ = ["command", "notes", "stretches", "texts", "trouble", "verdict", "verification"]
