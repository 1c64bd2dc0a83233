"""Accounts and who is signed in: passwords, sessions, failures, and the trail of who looked at what."""

__all__ = ["accounts", "asker", "door", "failures", "sessions", "sign_in_file", "trail"]
