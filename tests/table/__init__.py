"""A table's day folded from facts."""
