"""Pages, tested."""
