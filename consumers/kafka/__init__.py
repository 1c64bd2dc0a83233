"""The record's log in Apache Kafka: its settings, clients and topics, and a broker for trying them."""

__all__ = [
    "access",
    "client",
    "clusters",
    "jars",
    "kafka_fixes",
    "option",
    "play",
    "safety",
    "settings",
    "topic_names",
    "topics",
    "unpacked",
]
