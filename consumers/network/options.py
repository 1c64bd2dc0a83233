"""The ways in over the network that are open. What serves one is imported only if it is open: that takes time."""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from consumers.gateway.gateway import Gateway
from consumers.gateway.listening import ConnectionLimits
from consumers.kafka.settings import KafkaSettingsError, Plaintext, password_of, read_settings

if TYPE_CHECKING:
    from consumers.network.reading_topics import ReadingTopics
    from consumers.network.running import RunningNetwork


class NetworkTroubleError(Exception):
    """An address, a certificate, a key or Kafka settings that cannot be used; the message says why and what to do."""


class NetworkOptions(msgspec.Struct, frozen=True):
    """The addresses to listen on, and the certificate to show there."""

    https: str = ""
    tls: str = ""
    certificate: Path | None = None
    key: Path | None = None


def open_network(options: NetworkOptions, limits: ConnectionLimits) -> "RunningNetwork | None":
    """Listen at these addresses; return None if there is none."""
    if not options.https and not options.tls:
        if options.certificate is not None or options.key is not None:
            raise NetworkTroubleError("a certificate is given and no address: add --https or --tls with HOST:PORT")
        return None
    found: RunningNetwork = import_module("consumers.network.running").RunningNetwork(options, limits)
    return found


def open_topics(file: Path | None, gateway: Gateway, say: Callable[[str], None]) -> "ReadingTopics | None":
    """Read the topics of inputs with the Kafka settings in this file; return None if there is none."""
    if file is None:
        return None
    try:
        settings = read_settings(file)
        if not isinstance(settings.security, Plaintext):
            password_of(settings.security)
    except KafkaSettingsError as error:
        raise NetworkTroubleError(f"--inputs: {error}") from error
    if settings.banner:
        say(settings.banner)

    def sources() -> set[str]:
        return gateway.standing.sources.with_topics()  # the registers themselves may be replaced

    reading = import_module("consumers.network.reading_topics").ReadingTopics
    found: ReadingTopics = reading(settings, gateway.outbox.read_to(), sources, say)
    return found
