"""Rankers: each gives a hand its category, its place in a total order, its cards and its name."""

__all__ = ["heard", "multideck", "ranked", "six_card", "standard", "three_card"]
