"""What kafka-python 3.0 does wrong when a broker dies, put right.

A connection that is reset before its TLS handshake begins is an error of the operating system there and not one of
Kafka's. The loop that asks where the partitions lie ends with it, for good, and the client then knows the dead leader
for ever: a producer sends nothing more and a reader hears nothing more, without a word.
"""

from contextlib import suppress
from typing import Any

from kafka import KafkaProducer
from kafka.errors import KafkaConnectionError, KafkaError
from kafka.net.compat import KafkaNetClient


def mended(client: KafkaNetClient) -> KafkaNetClient:
    """The same client, whose failed connections are Kafka's errors, which it survives."""
    manager = client._manager  # there is no other way in
    build = manager._build_transport

    async def built(*asked: Any, **named: Any) -> Any:
        try:
            return await build(*asked, **named)
        except OSError as error:
            raise KafkaConnectionError(str(error)) from error

    manager._build_transport = built
    return client


def give_up(producer: KafkaProducer) -> None:
    """Ends a producer that could not send something, and with it everything it would have sent behind that.

    Its own `close` would first wait for all of it: for ever, if need be.
    """
    sender = producer._sender
    sender.force_close()
    sender.join(_GIVE_UP_SECONDS)
    with suppress(KafkaError):
        producer.close(timeout=0)


_GIVE_UP_SECONDS = 5
