"""Mappings: rows of another system's file become facts, as a TOML file says."""

__all__ = ["mapped", "reading"]
