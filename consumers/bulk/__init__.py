"""Facts hashed, scanned and chained in bulk, by code that numba compiles; what is not the usual goes the strict way.

It knows no rule of any game. It accepts a fact only where the strict way has nothing to say about it, and refuses all
others to that way, one by one. Where numba is not installed, every fact goes the strict way.
"""

__all__ = ["fact_pass", "loading"]
