"""Who players are, kept outside the record."""

__all__ = ["people"]
