"""The one place that makes Kafka clients.

kafka-python's own defaults are plain text, auto-commit, `latest` and topics made by asking for them. Each is written
here as the record needs it, and topics.py refuses to run on anything else.
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
from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, Plaintext, password_of
from consumers.kafka.unpacking import unpack_lightly

Client = TypeVar("Client")
Answer = TypeVar("Answer")

ASK_AGAIN_SECONDS: Final = 0.2
PAUSE_MS: Final = 20  # before a client asks again where the partitions lie, or a reader looks whether it knows


class KafkaUnreachableError(Exception):
    """No broker answered, or none let us in."""


def connection_settings(settings: KafkaSettings) -> dict[str, Any]:
    """What every client needs to reach the brokers and be let in."""
    common: dict[str, Any] = {
        "bootstrap_servers": list(settings.bootstrap_servers),
        "bootstrap_timeout_ms": settings.bootstrap_timeout_ms,
        # A broker that comes back is asked again within a second, not after half a minute.
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
    """A record counts as sent when every replica in sync has it; a retry never doubles or reorders it."""
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
        # Measured best for facts of a third of a kilobyte; nobody on the floor waits for these 20 ms.
        "linger_ms": 20,
        "batch_size": 256 * 1024,
        "max_request_size": DEAD_LETTER_BYTES,
    }


def consumer_settings(settings: KafkaSettings) -> dict[str, Any]:
    """A reader that keeps its position itself, tuned to drain a log."""
    return {
        **connection_settings(settings),
        "group_id": None,
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "allow_auto_create_topics": False,
        # Records of a transaction left open would hide every later fact from a reader of committed ones only.
        "isolation_level": "read_uncommitted",
        # The hashes of a chain cover every fact but the last.
        "check_crcs": True,
        "max_poll_records": 10_000,
        "max_partition_fetch_bytes": 8 * 1024 * 1024,
        "fetch_min_bytes": 64 * 1024,
        "retry_backoff_ms": PAUSE_MS,
        # How long a quiet log keeps a reader waiting for 64 KiB.
        "fetch_max_wait_ms": 100,
    }


def member_settings(settings: KafkaSettings, group: str) -> dict[str, Any]:
    """A consumer that shares a topic's partitions with others by Kafka's group protocol, and commits nothing.

    A partition stays where it is as long as it can, for whoever takes one over folds a day again.
    """
    return {
        **consumer_settings(settings),
        "group_id": f"{settings.topic_prefix}{group}",
        "partition_assignment_strategy": (StickyPartitionAssignor,),
        "session_timeout_ms": settings.takeover_ms,
        "heartbeat_interval_ms": min(3000, settings.takeover_ms // 4),
        # What one poll brings is verified before the next: moments, and minutes where days are folded again.
        "max_poll_records": 2_000,
        "max_poll_interval_ms": 300_000,
    }


def producer(settings: KafkaSettings) -> KafkaProducer:
    """A connected producer."""
    return _made(settings, lambda keep: KafkaProducer(**producer_settings(settings), kafka_client=keep))


def consumer(settings: KafkaSettings, partitions: Iterable[TopicPartition], **sizes: int) -> KafkaConsumer:
    """A connected consumer of these partitions, from their beginning until it is told where to go.

    `sizes` are other sizes of what it fetches at once, for who reads little or wants it now.
    """
    config = {**consumer_settings(settings), **sizes}
    made = _made(settings, lambda keep: KafkaConsumer(**config, kafka_client=keep))
    assigned = list(partitions)
    if assigned:
        made.assign(assigned)
        made.seek_to_beginning(*assigned)
    return made


def reader(settings: KafkaSettings, partitions: Iterable[TopicPartition], **sizes: int) -> KafkaConsumer:
    """A consumer whose records have an offset, a value and headers, and nothing else."""
    made = consumer(settings, partitions, **sizes)
    unpack_lightly(made)
    return made


def fenced_producer(settings: KafkaSettings, name: str) -> KafkaProducer:
    """A connected producer that shuts out every earlier one of its name: brokers refuse what those still send.

    The transactions it needs for that mean nothing to our readers, who read uncommitted records as well.
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
    """Whether a later producer of the same name is why something was not sent."""
    causes = [producer._transaction_manager.last_error]  # there is no other way to ask
    while error is not None:
        causes.append(error)
        error = error.__cause__
    return any(isinstance(one, _FENCED) for one in causes)


_FENCED: Final = (ProducerFencedError, InvalidProducerEpochError)


def member(
    settings: KafkaSettings, group: str, topic: str, listener: ConsumerRebalanceListener, **more: str
) -> KafkaConsumer:
    """A reader that joins a group when it first polls; `listener` hears which partitions of the topic are its own."""
    config = {**member_settings(settings, group), **more}
    made = _made(settings, lambda keep: KafkaConsumer(**config, kafka_client=keep))
    unpack_lightly(made)
    # A member that leads its group deals out the partitions it knows of, which are none before this answer.
    made.partitions_for_topic(topic)
    made.subscribe([topic], listener=listener)
    return made


def admin(settings: KafkaSettings) -> KafkaAdminClient:
    """A connected admin client."""
    return _made(settings, lambda keep: KafkaAdminClient(**connection_settings(settings), kafka_client=keep))


def patiently(settings: KafkaSettings, ask: Callable[[], Answer]) -> Answer:
    """Asks again while a question happens to go to a broker that has just died; as long as to be let in at first."""
    deadline = time.monotonic() + settings.bootstrap_timeout_ms / 1000
    while True:
        try:
            return ask()
        except RetriableError:
            if time.monotonic() > deadline:
                raise
            time.sleep(ASK_AGAIN_SECONDS)


def _made(settings: KafkaSettings, make: Callable[[Callable[..., KafkaNetClient]], Client]) -> Client:
    """A client, or one sentence why not; a half-made one is closed."""
    _log_to_file(settings.log_file or _default_log_file())
    half_made: list[KafkaNetClient] = []

    def keep(**config: Any) -> KafkaNetClient:
        half_made.append(mended(KafkaNetClient(**config)))
        # A client that has just been let in asks where the partitions lie, and would wait a tenth of a second for it.
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
    """kafka-python may drop what a broker says just before it hangs up, so the likeliest reason is ours to tell."""
    if isinstance(settings.security, Plaintext):
        return ": a broker that asks for TLS hangs up on who does not speak it" if "disconnected" in why else ""
    if "disconnected" in why or "Authentication" in why:
        return ": a wrong user name or password"
    return ""


@contextmanager
def _complaints() -> Iterator[list[str]]:
    """Why connections fail, in order, out of kafka-python's log; its exception says only that time ran out."""
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
    """Where kafka-python's own log goes when the settings name no file."""
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "catwalk/kafka-client.log"


def _log_to_file(file: Path) -> None:
    """Sends kafka-python's log, a warning for every broker lost, to a file instead of the terminal.

    Its debug messages hold passwords, so they are left out whatever the rest of the program logs.
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
