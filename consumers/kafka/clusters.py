"""A cluster of one plain broker, and one of three brokers that require TLS, a password and rights."""

import datetime
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from kafka import KafkaAdminClient
from kafka.admin import UserScramCredentialUpsertion

from consumers.kafka.broker import Broker, free_ports, new_cluster_id
from consumers.kafka.certificates import Certificates, make_certificates

ADMINISTRATOR: Final = "admin"
_STOP_SECONDS: Final = 3.0

_COMMON: Final[Mapping[str, str]] = {
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "auto.create.topics.enable": "false",
    "group.initial.rebalance.delay.ms": "0",
    # On one machine, a dead watcher is noticed as soon as its settings allow.
    "group.min.session.timeout.ms": "500",
}
_SECURED: Final[Mapping[str, str]] = {
    "inter.broker.listener.name": "INNER",
    "listener.security.protocol.map": "CLIENTS:SASL_SSL,INNER:SSL,CONTROLLER:SSL",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "listener.name.clients.scram-sha-512.sasl.jaas.config": (
        "org.apache.kafka.common.security.scram.ScramLoginModule required;"
    ),
    "ssl.keystore.type": "PEM",
    "ssl.truststore.type": "PEM",
    "listener.name.inner.ssl.client.auth": "required",
    "listener.name.controller.ssl.client.auth": "required",
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    # The brokers use certificates among themselves; so does the one user that sets up the others.
    "super.users": f"User:CN=localhost;User:{ADMINISTRATOR}",
    "allow.everyone.if.no.acl.found": "false",
    "default.replication.factor": "3",
    "offsets.topic.replication.factor": "3",
    "transaction.state.log.replication.factor": "3",
    "transaction.state.log.min.isr": "2",
    "share.coordinator.state.topic.replication.factor": "3",
    "share.coordinator.state.topic.min.isr": "2",
    # A dead leader is replaced in seconds.
    "broker.session.timeout.ms": "6000",
    "broker.heartbeat.interval.ms": "1000",
    "controlled.shutdown.enable": "false",
}


class Cluster:
    """Brokers that started together."""

    def __init__(self, brokers: list[Broker], certificates: Certificates | None = None) -> None:
        self.brokers = brokers
        self.certificates = certificates

    @property
    def bootstrap_servers(self) -> tuple[str, ...]:
        """The addresses for clients: each broker's first port."""
        return tuple(f"localhost:{broker.ports[0]}" for broker in self.brokers)

    def broker(self, node_id: int) -> Broker:
        """The broker with this number."""
        return next(broker for broker in self.brokers if broker.node_id == node_id)

    def start(self, *format_options: str) -> None:
        """Format and start all brokers at once, and return when each answers."""
        cluster_id = new_cluster_id()
        for broker in self.brokers:
            broker.format(cluster_id, *format_options)
        for broker in self.brokers:
            broker.wait_formatted()
        for broker in self.brokers:
            broker.start()
        for broker in self.brokers:
            broker.wait()

    def stop(self) -> None:
        """End all brokers, whatever state they are in."""
        for broker in self.brokers:
            broker.ask_to_stop()
        for broker in self.brokers:
            broker.stop(_STOP_SECONDS)


@contextmanager
def one_broker(folder: Path, ports: tuple[int, int] | None = None) -> Iterator[Cluster]:
    """A broker without security, for a development profile. Everything it stores is in `folder`."""
    clients, controller = ports or free_ports(2)
    properties = {
        **_COMMON,
        "controller.quorum.bootstrap.servers": f"localhost:{controller}",
        "listeners": f"CLIENTS://localhost:{clients},CONTROLLER://localhost:{controller}",
        "advertised.listeners": f"CLIENTS://localhost:{clients}",
        "inter.broker.listener.name": "CLIENTS",
        "listener.security.protocol.map": "CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "offsets.topic.replication.factor": "1",
        "transaction.state.log.replication.factor": "1",
        "transaction.state.log.min.isr": "1",
        "share.coordinator.state.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
    }
    cluster = Cluster([Broker(folder / "broker-1", 1, properties, (clients, controller))])
    try:
        cluster.start("--standalone")
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def three_brokers(folder: Path, passwords: Mapping[str, str]) -> Iterator[Cluster]:
    """Brokers that authenticate these users by password over TLS, and each other by certificate.

    `admin` among the users may do anything; the others nothing until they get rights.
    """
    certificates = make_certificates(folder / "certificates", start=datetime.datetime.now(datetime.UTC))
    ports = free_ports(9)
    controllers = ports[6:]
    voters = ",".join(f"{number}@localhost:{port}" for number, port in enumerate(controllers, start=1))
    brokers = []
    for number in (1, 2, 3):
        clients, inner, controller = ports[number - 1], ports[number + 2], controllers[number - 1]
        named = f"CLIENTS://localhost:{clients},INNER://localhost:{inner}"
        properties = {
            **_COMMON,
            **_SECURED,
            "controller.quorum.voters": voters,
            "listeners": f"{named},CONTROLLER://localhost:{controller}",
            "advertised.listeners": named,
            "ssl.keystore.location": str(certificates.server),
            "ssl.truststore.location": str(certificates.authority),
        }
        brokers.append(Broker(folder / f"broker-{number}", number, properties, (clients, inner, controller)))
    cluster = Cluster(brokers, certificates)
    try:
        cluster.start()
        _add_users(cluster, passwords)
        yield cluster
    finally:
        cluster.stop()


def inner_connection(cluster: Cluster) -> dict[str, Any]:
    """Settings of a client that connects like a broker, by certificate; it gives the first user a password."""
    if cluster.certificates is None:
        raise ValueError("this cluster has no inner listener")
    return {
        "bootstrap_servers": [f"localhost:{broker.ports[1]}" for broker in cluster.brokers],
        "security_protocol": "SSL",
        "ssl_cafile": str(cluster.certificates.authority),
        "ssl_certfile": str(cluster.certificates.server),
        "ssl_keyfile": str(cluster.certificates.server),
    }


def _add_users(cluster: Cluster, passwords: Mapping[str, str]) -> None:
    """Send passwords to the brokers over TLS; Kafka's format tool would take them from a command line."""
    with KafkaAdminClient(**inner_connection(cluster)) as admin:
        answer = admin.alter_user_scram_credentials(
            [UserScramCredentialUpsertion(user, "SCRAM-SHA-512", password) for user, password in passwords.items()]
        )
    refused = {user: error for user, error in answer.items() if error}
    if refused:
        raise RuntimeError(f"could not add users: {refused}")
    if cluster.certificates is not None:
        for broker in cluster.brokers:
            _wait_until_let_in(broker, cluster.certificates, passwords)


def _wait_until_let_in(broker: Broker, certificates: Certificates, passwords: Mapping[str, str]) -> None:
    """Wait until every broker knows the passwords, which the controller has first."""
    user, password = next(iter(passwords.items()))
    KafkaAdminClient(
        bootstrap_servers=[f"localhost:{broker.ports[0]}"],
        bootstrap_timeout_ms=30_000,
        reconnect_backoff_max_ms=200,
        security_protocol="SASL_SSL",
        ssl_cafile=str(certificates.authority),
        sasl_mechanism="SCRAM-SHA-512",
        sasl_plain_username=user,
        sasl_plain_password=password,
    ).close()
