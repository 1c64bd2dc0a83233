"""The one place that makes Kafka clients.

kafka-python defaults to plain text, auto-commit, `latest`, and topics created on request. Every such setting is written
out here as the record needs it, and topics.py refuses to run with other values.
"""

import logging
import logging.handlers
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeVar

from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.consumer.subscription_state import ConsumerRebalanceListener
from kafka.coordinator.assignors.sticky.sticky_assignor import StickyPartitionAssignor
from kafka.errors import InvalidProducerEpochError, KafkaError, ProducerFencedError, RetriableError
from kafka.net.compat import KafkaNetClient

from consumers.kafka.kafka_fixes import give_up, mended
from consumers.kafka.safety import DEAD_LETTER_BYTES
from consumers.kafka.settings import (
    KafkaSettings,
    KafkaSettingsError,
    KafkaUnreachableError,
    Plaintext,
    password_of,
)
from consumers.kafka.unpacking import unpack_lightly

Client = TypeVar("Client")
Answer = TypeVar("Answer")

ASK_AGAIN_SECONDS: Final = 0.2
PAUSE_MS: Final = 20  # before a client asks for the partitions again, or a reader checks for them


def connection_settings(settings: KafkaSettings) -> dict[str, Any]:
    """The settings that every client needs to reach and enter the brokers."""
    common: dict[str, Any] = {
        "bootstrap_servers": list(settings.bootstrap_servers),
        "bootstrap_timeout_ms": settings.bootstrap_timeout_ms,
        # Retry a broker that comes back within a second, not after half a minute.
        "reconnect_backoff_max_ms": 1000,
    }
    security = settings.security
    if isinstance(security, Plaintext):
        return {**common, "security_protocol": "PLAINTEXT"}
    return {
        **common,
        "security_protocol": "SASL_SSL",
        "ssl_check_hostname": True,
        "ssl_cafile": str(security.ca_file),
        "sasl_mechanism": "SCRAM-SHA-512",
        "sasl_plain_username": security.user,
        "sasl_plain_password": password_of(security),
    }


def producer_settings(settings: KafkaSettings) -> dict[str, Any]:
    """Settings of a producer: a record counts as sent once all in-sync replicas have it; retries never double it."""
    return {
        **connection_settings(settings),
        "acks": "all",
        "enable_idempotence": True,
        "max_in_flight_requests_per_connection": 5,
        "retries": float("inf"),
        "delivery_timeout_ms": 120_000,
        "transactional_id": None,
        "allow_auto_create_topics": False,
        "compression_type": None if settings.compression == "none" else settings.compression,
        # Measured best for facts of a third of a kilobyte; no device waits for these 20 ms.
        "linger_ms": 20,
        "batch_size": 256 * 1024,
        "max_request_size": DEAD_LETTER_BYTES,
    }


def consumer_settings(settings: KafkaSettings) -> dict[str, Any]:
    """Settings of a reader that stores its position itself, tuned to drain a log."""
    return {
        **connection_settings(settings),
        "group_id": None,
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "allow_auto_create_topics": False,
        # With `read_committed`, records of one open transaction would hide every later fact from a reader.
        "isolation_level": "read_uncommitted",
        # The chain's hashes cover every fact but the last.
        "check_crcs": True,
        "max_poll_records": 10_000,
        "max_partition_fetch_bytes": 8 * 1024 * 1024,
        "fetch_min_bytes": 64 * 1024,
        "retry_backoff_ms": PAUSE_MS,
        # How long a quiet log keeps a reader waiting for 64 KiB.
        "fetch_max_wait_ms": 100,
    }


def member_settings(settings: KafkaSettings, group: str) -> dict[str, Any]:
    """Settings of a consumer that shares a topic's partitions by Kafka's group protocol, and commits nothing.

    Partitions move as rarely as possible, because a new owner has to fold a day again.
    """
    return {
        **consumer_settings(settings),
        "group_id": f"{settings.topic_prefix}{group}",
        "partition_assignment_strategy": (StickyPartitionAssignor,),
        "session_timeout_ms": settings.takeover_ms,
        "heartbeat_interval_ms": min(3000, settings.takeover_ms // 4),
        # The records of one poll are verified before the next: moments, or minutes if days are folded again.
        "max_poll_records": 2_000,
        "max_poll_interval_ms": 300_000,
    }


def producer(settings: KafkaSettings) -> KafkaProducer:
    """Return a connected producer."""
    return _made(settings, lambda keep: KafkaProducer(**producer_settings(settings), kafka_client=keep))


def consumer(settings: KafkaSettings, partitions: Iterable[TopicPartition], **more: Any) -> KafkaConsumer:
    """Return a connected consumer of these partitions, from their beginning until it seeks elsewhere.

    `more` are other settings, such as fetch sizes, for callers that read little or need it at once.
    """
    config = {**consumer_settings(settings), **more}
    made = _made(settings, lambda keep: KafkaConsumer(**config, kafka_client=keep))
    assigned = list(partitions)
    if assigned:
        made.assign(assigned)
        made.seek_to_beginning(*assigned)
    return made


def reader(
    settings: KafkaSettings, partitions: Iterable[TopicPartition], *, longest: int | None = None, **more: Any
) -> KafkaConsumer:
    """A consumer whose records have only an offset, a value and headers; `longest` cuts longer records."""
    made = consumer(settings, partitions, **more)
    unpack_lightly(made, longest)
    return made


def fenced_producer(settings: KafkaSettings, name: str) -> KafkaProducer:
    """Return a connected producer that shuts out every earlier one of its name: brokers refuse what those still send.

    That needs transactions, which do not affect our readers: they also read uncommitted records.
    """
    config = {**producer_settings(settings), "transactional_id": f"{settings.topic_prefix}{name}"}
    made = _made(settings, lambda keep: KafkaProducer(**config, kafka_client=keep))
    try:
        made.init_transactions()
    except KafkaError:
        give_up(made)
        raise
    return made


def was_fenced(producer: KafkaProducer, error: BaseException | None) -> bool:
    """Whether a send failed because of a later producer of the same name."""
    causes = [producer._transaction_manager.last_error]  # no public attribute tells
    while error is not None:
        causes.append(error)
        error = error.__cause__
    return any(isinstance(one, _FENCED) for one in causes)


_FENCED: Final = (ProducerFencedError, InvalidProducerEpochError)


def member(
    settings: KafkaSettings, group: str, topic: str, listener: ConsumerRebalanceListener, **more: str
) -> KafkaConsumer:
    """A reader that joins a group at its first poll; `listener` learns which partitions it gets."""
    config = {**member_settings(settings, group), **more}
    made = _made(settings, lambda keep: KafkaConsumer(**config, kafka_client=keep))
    unpack_lightly(made)
    # The group's leader assigns the partitions it knows, and it knows none before this answer.
    made.partitions_for_topic(topic)
    made.subscribe([topic], listener=listener)
    return made


def admin(settings: KafkaSettings) -> KafkaAdminClient:
    """Return a connected admin client."""
    return _made(settings, lambda keep: KafkaAdminClient(**connection_settings(settings), kafka_client=keep))


def patiently(settings: KafkaSettings, ask: Callable[[], Answer]) -> Answer:
    """Repeat a question while its broker has just died, for as long as a first connection may take."""
    deadline = time.monotonic() + settings.bootstrap_timeout_ms / 1000
    while True:
        try:
            return ask()
        except RetriableError:
            if time.monotonic() > deadline:
                raise
            time.sleep(ASK_AGAIN_SECONDS)


def _made(settings: KafkaSettings, make: Callable[[Callable[..., KafkaNetClient]], Client]) -> Client:
    """A client, or one sentence why there is none; an incomplete client is closed."""
    _log_to_file(settings.log_file or _default_log_file())
    half_made: list[KafkaNetClient] = []

    def keep(**config: Any) -> KafkaNetClient:
        half_made.append(mended(KafkaNetClient(**config)))
        # A new client asks for the partitions, and would wait a tenth of a second before asking again.
        half_made[-1].cluster.config["retry_backoff_ms"] = PAUSE_MS
        return half_made[-1]

    with _complaints() as complaints:
        try:
            return make(keep)
        except KafkaError as error:
            for one in half_made:
                one.close()
            servers = ", ".join(settings.bootstrap_servers)
            refused = [one for one in complaints if "Authentication" in one]
            why = (refused or complaints or [str(error)])[0]
            raise KafkaUnreachableError(
                f"no connection to Kafka at {servers}: {why}{_hint(settings, why)}. "
                "Check bootstrap_servers, the security settings, and whether the brokers run."
            ) from error


def _hint(settings: KafkaSettings, why: str) -> str:
    """The likeliest reason, because kafka-python may drop what a broker says just before it hangs up."""
    if isinstance(settings.security, Plaintext):
        return ": a broker that requires TLS hangs up on clients without it" if "disconnected" in why else ""
    if "disconnected" in why or "Authentication" in why:
        return ": a wrong user name or password"
    return ""


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """The reasons of failed connections, in order, from kafka-python's log; its exception gives only a timeout."""
    said: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.msg.startswith("Bootstrap connection") and isinstance(record.args, tuple):
                said.append(str(record.args[1]))

    collector = Collector(logging.WARNING)
    log = logging.getLogger("kafka.net.manager")
    log.addHandler(collector)
    try:
        yield said
    finally:
        log.removeHandler(collector)


def _default_log_file() -> Path:
    """The file for kafka-python's own log if the settings name none."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "catwalk/kafka-client.log"


def _log_to_file(file: Path) -> None:
    """Send kafka-python's log, with a warning for every lost broker, to a file instead of the terminal.

    Its debug messages contain passwords, so they are omitted whatever the rest of the program logs.
    """
    log = logging.getLogger("kafka")
    held = [one for one in log.handlers if isinstance(one, logging.handlers.WatchedFileHandler)]
    if any(Path(one.baseFilename) == file.absolute() for one in held):
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.handlers.WatchedFileHandler(file)
    except OSError as error:
        raise KafkaSettingsError(
            f"log_file: {file} cannot be written: {error.strerror}. Name another file in the Kafka settings."
        ) from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for one in held:
        log.removeHandler(one)
        one.close()
    log.addHandler(handler)
    log.setLevel(logging.WARNING)
    log.propagate = False
