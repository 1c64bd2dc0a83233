"""Every detector, by subject. Importing this registers them all."""

from domain.watch.detectors import (
    announced,
    calls,
    collected,
    decisions,
    declared,
    discards,
    house_way,
    kept_open,
    revealed,
    selections,
    settled_as,
    settlement_order,
    settlement_procedure,
    settlement_time,
    winners,
)

__all__ = [
    "announced",
    "calls",
    "collected",
    "decisions",
    "declared",
    "discards",
    "house_way",
    "kept_open",
    "revealed",
    "selections",
    "settled_as",
    "settlement_order",
    "settlement_procedure",
    "settlement_time",
    "winners",
]
