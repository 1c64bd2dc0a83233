"""The desk, tested."""
