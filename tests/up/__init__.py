"""The whole system, started and ended."""
