"""The folds that turn facts and findings into rows of the read models."""

__all__ = ["day", "findings", "record", "stream", "troubles"]
