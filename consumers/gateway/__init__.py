"""The gateway, the only writer of the record: it turns the sources' input into the log."""

__all__ = [
    "arrivals",
    "bells",
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
    "reading_lines",
    "retrying",
    "standing",
    "topic_inputs",
]
