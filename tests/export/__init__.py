"""Exports: the bytes, the trust behind them, the checker, the report."""
