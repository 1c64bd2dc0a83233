"""The simulated floor: tables, dealers and players that produce facts, and nothing else.

Lawful days come first, and edits of the list break them. All chance comes from a seeded generator passed in.
"""

__all__ = ["floor", "houses", "property_time", "seed"]
