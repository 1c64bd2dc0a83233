"""The tests: they mirror the four folders, with rule cards, cases and what they have in common."""
