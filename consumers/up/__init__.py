"""The whole system on one machine: its parts started, watched over and ended together."""

__all__ = ["checking", "configuration", "sign_in", "supervising"]
