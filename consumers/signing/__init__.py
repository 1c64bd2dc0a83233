"""Exports made and signed for the room by a process that holds the property's key in its place."""

__all__ = ["asking", "service", "words"]
