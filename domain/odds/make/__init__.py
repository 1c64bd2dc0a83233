"""The programs that computed the stored odds: `python -m domain.odds.make`.

They alone need numba and numpy. Each module counts deals and returns whole numbers; nobody rounds before the
stored counts meet a pay table.
"""
