"""The identities of players, stored outside the record."""

__all__ = ["people"]
