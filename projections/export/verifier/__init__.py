"""The program that verifies an export: one module per subject, joined into one file by `one_file`."""

__all__ = ["columns", "command", "notes", "stretches", "texts", "trouble", "verdict", "verification"]
