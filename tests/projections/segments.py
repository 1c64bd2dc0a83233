"""Segments closed at a chosen moment: a store closes one by itself when it has many rounds to publish."""

from projections.store import Store


def close_segment(store: Store, kept: int | None = None) -> bool:
    """Move all but the newest rounds of each table into Parquet now."""
    with store._at_work():
        return store._close_segment() if kept is None else store._close_segment(kept)
