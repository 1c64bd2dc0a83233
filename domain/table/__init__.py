"""A table's gaming day and its rounds, folded from facts, without judging them."""

__all__ = [
    "counts",
    "day",
    "deck",
    "deck_rounds",
    "deck_shuffles",
    "fact_text",
    "irregular",
    "layout",
    "money",
    "old_order",
    "payouts",
    "played",
    "round",
    "scene",
    "seen",
    "spots",
    "stubs",
]
