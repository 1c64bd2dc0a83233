"""Backup and restore of an embedded record and of a record in Kafka."""

__all__ = ["embedded", "kafka"]
