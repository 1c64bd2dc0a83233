"""Settle one hand or a file of cases from the command line."""

__all__ = ["check", "hands", "option_text", "table"]
