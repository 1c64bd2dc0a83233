"""The programs that computed the stored odds: `python -m domain.odds.make`.

Only they need numba and numpy. Each module counts deals and returns whole numbers; rounding comes last, after the
stored counts meet a pay table.
"""
