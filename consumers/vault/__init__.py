"""Who players are, kept outside the record."""
