"""Hashing, scanning and chaining of facts in bulk, by code that numba compiles; unusual facts go the strict way.

It knows no rule of any game. It accepts a fact only if the strict way would accept it without a remark, and passes all
others to that way, one by one. If numba is not installed, every fact goes the strict way.
"""

__all__ = ["database", "fact_pass", "inputs", "loading"]
