"""The money of a round: what each wager is owed and why, what is wrong with it, in which words, by which clauses."""

__all__ = ["classified", "limits", "situations", "voids", "why", "why_uth", "words"]
