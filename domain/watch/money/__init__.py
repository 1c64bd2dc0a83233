"""The money of a round: what each wager is owed and why, its faults, their words and clauses."""

__all__ = ["classified", "limits", "situations", "voids", "why", "why_uth", "words"]
