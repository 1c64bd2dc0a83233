"""The record's log: Apache Kafka, its settings, its clients, its topics, and a broker to try them on."""

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
    "topics",
    "unpacking",
]
