"""The desk's actions and records, stored durably."""

__all__ = ["application", "commands", "kept_up", "noting", "opening", "relay"]
