"""Devices that write into their topics of inputs with clients that are not ours: librdkafka, and Kafka's own for Java."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from confluent_kafka import Producer

from consumers.kafka.jars import java, libs
from consumers.kafka.settings import KafkaSettings, ScramOverTls, password_of

CODECS = ("none", "gzip", "snappy", "lz4", "zstd")
WRITER = Path(__file__).with_name("Writer.java")
SECONDS = 60.0


def connecting(settings: KafkaSettings) -> dict[str, Any]:
    """Settings with which librdkafka reaches and enters the brokers."""
    found: dict[str, Any] = {"bootstrap.servers": ",".join(settings.bootstrap_servers)}
    if isinstance(settings.security, ScramOverTls):
        found |= {"security.protocol": "SASL_SSL", "sasl.mechanism": "SCRAM-SHA-512"}
        found |= {"ssl.ca.location": str(settings.security.ca_file), "sasl.username": settings.security.user}
        found |= {"sasl.password": password_of(settings.security)}
    return found


class Librdkafka:
    """One producer of librdkafka, which confluent-kafka brings."""

    def __init__(self, settings: KafkaSettings, codec: str = "none", **more: Any) -> None:
        own = {"compression.type": codec, "enable.idempotence": True, "linger.ms": 50}
        named = {name.replace("_", "."): value for name, value in more.items()}
        self._producer = Producer({**connecting(settings), **own, **named, "log_level": 2})
        self.refused: list[str] = []

    def write(self, topic: str, lines: Iterable[bytes | Mapping[str, Any] | None], **more: Any) -> "Librdkafka":
        """Write these records; `finish` waits until the brokers have them."""
        for line in lines:
            stored = json.dumps(line).encode() if isinstance(line, Mapping) else line
            self._producer.produce(topic, value=stored, on_delivery=self._heard, **more)
            self._producer.poll(0)
        return self

    def finish(self) -> list[str]:
        """Return the names of the errors with which the brokers refused records."""
        assert self._producer.flush(SECONDS) == 0
        return self.refused

    def _heard(self, error: Any, _: Any) -> None:
        if error is not None:
            self.refused.append(error.name())


def in_java(folder: Path, settings: KafkaSettings, lines: Iterable[tuple[str, str, Mapping[str, Any]]]) -> str:
    """Write records with Kafka's client for Java, each with its codec and topic; return what it complains of."""
    properties = folder / "writer.properties"
    properties.write_text(f"bootstrap.servers={','.join(settings.bootstrap_servers)}\nenable.idempotence=true\n")
    command = [java(), "-Xmx128m", "-XX:TieredStopAtLevel=1", "-cp", f"{libs()}/*", str(WRITER), str(properties)]
    given = "".join(f"{codec}\t{topic}\t{json.dumps(line)}\n" for codec, topic, line in lines)
    ran = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stderr
