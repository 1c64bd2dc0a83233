"""The log of facts: one interface, implemented by an embedded SQLite file and by Kafka."""

from consumers.logs.log import Batch, Log, NoPlaceError, Placed, StoredFact, place_of
from consumers.logs.opening import LogOptionsError, open_log, record_options

__all__ = [
    "Batch",
    "Log",
    "LogOptionsError",
    "NoPlaceError",
    "Placed",
    "StoredFact",
    "copying",
    "kafka",
    "log",
    "mapper",
    "open_log",
    "opening",
    "opening_kafka",
    "place_of",
    "record_options",
    "sqlite",
]
