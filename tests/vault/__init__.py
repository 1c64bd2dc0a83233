"""The vault: the names of players, outside the record."""
