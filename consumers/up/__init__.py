"""The whole system on one machine: its parts are started, supervised and ended together."""

__all__ = ["checking", "configuration", "sign_in", "supervising"]
