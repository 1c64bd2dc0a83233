"""The gateway: the one writer of the record, from what sources say to what the log holds."""

__all__ = [
    "clients",
    "dead_letters",
    "door",
    "gateway",
    "greeting",
    "held",
    "keys",
    "letter_budget",
    "letter_records",
    "letter_topic",
    "listening",
    "outbox",
    "piped",
    "quarantine",
    "retrying",
    "standing",
]
