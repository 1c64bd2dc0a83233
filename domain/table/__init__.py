"""A table's gaming day and its rounds, folded from facts: what happened, whether it was right or not."""

__all__ = [
    "counts",
    "day",
    "deck",
    "deck_rounds",
    "deck_shuffles",
    "fact_text",
    "irregular",
    "layout",
    "played",
    "round",
    "scene",
    "seen",
    "spots",
    "stubs",
]
