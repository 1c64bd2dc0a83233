"""Who players are, outside the record."""
