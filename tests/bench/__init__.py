"""Benchmarks: each measures its peer or its limit in the same run and prints the ratio."""
