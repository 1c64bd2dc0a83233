"""Fixes for errors of kafka-python 3.0 after a broker dies.

If a connection is reset before its TLS handshake begins, kafka-python raises an error of the operating system instead
of one of Kafka's. That error permanently ends its loop that asks for the partitions. The client then keeps talking to
the dead leader: without any message, a producer stops sending and a reader stops receiving.
"""

from contextlib import suppress
from typing import Any

from kafka import KafkaProducer
from kafka.errors import KafkaConnectionError, KafkaError
from kafka.net.compat import KafkaNetClient


def mended(client: KafkaNetClient) -> KafkaNetClient:
    """Return the same client, with failed connections raised as Kafka's errors, which it survives."""
    manager = client._manager  # there is no public way in
    build = manager._build_transport

    async def built(*asked: Any, **named: Any) -> Any:
        try:
            return await build(*asked, **named)
        except OSError as error:
            raise KafkaConnectionError(str(error)) from error

    manager._build_transport = built
    return client


def give_up(producer: KafkaProducer) -> None:
    """Close a producer that could not send something, and discard everything it has queued.

    Its own `close` would first wait for all of it, possibly forever.
    """
    sender = producer._sender
    sender.force_close()
    sender.join(_GIVE_UP_SECONDS)
    with suppress(KafkaError):
        producer.close(timeout=0)


_GIVE_UP_SECONDS = 5
