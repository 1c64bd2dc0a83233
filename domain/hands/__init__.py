"""Rankers: each gives a hand its category, its place in a total order, its cards and its name."""
