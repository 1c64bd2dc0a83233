"""The simulated floor: tables, dealers and players that emit facts, and nothing but facts.

Lawful days first; what breaks them is an edit of the list. All chance is a seeded generator handed in.
"""

__all__ = ["floor", "houses", "property_time", "seed"]
