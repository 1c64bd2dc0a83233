"""Accounts and sign-in: passwords, sessions, failed attempts, and the access log of commands."""

__all__ = ["accounts", "asker", "door", "failures", "sessions", "sign_in_file", "trail"]
