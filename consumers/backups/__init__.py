"""Backups of an embedded record and of one in Kafka, and their restoration."""

__all__ = ["embedded", "kafka"]
