"""Real brokers for the tests: one plain, three secured, each started once, only when asked for, and ended after the last.

Tests that ask for them are marked `xdist_group("kafka")`, so that one worker starts them for all.
"""

import os
import secrets
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from kafka.admin import ConfigResource, ConfigResourceType

from consumers.kafka import topics
from consumers.kafka.access import grant
from consumers.kafka.client import admin
from consumers.kafka.clusters import ADMINISTRATOR, Cluster, one_broker, three_brokers
from consumers.kafka.jars import BrokerUnavailableError, java, libs
from consumers.kafka.settings import KafkaSettings, Plaintext, ScramOverTls

# A folder that outlives a restart, wherever the checkout is: production refuses to keep a record below /tmp.
LASTING = "/var/tmp"

USERS = {
    "gateway": "gateway",
    "reader": "reader",
    "verifier": "verifier",
    "projector": "projector",
    "relay": "relay",
    "tree": "keeper",
    "keeper": "administrator",
}
# Users without any right, for tests of rights that give them some.
SOURCES = ("shoe-7", "shoe-77", "shoe-8")
WITHOUT = (*(f"own-{role}" for role in (*USERS.values(), *SOURCES)), "nobody")
# Sources with topics of inputs that a gateway reads.
WRITERS = ("writer-1", "writer-2")


class Secured:
    """Three brokers that ask for TLS, a password and rights, and the settings of each of their users."""

    def __init__(self, cluster: Cluster, folder: Path, passwords: dict[str, str], log_file: Path) -> None:
        self.cluster = cluster
        self.passwords = passwords
        self.folder = folder
        self.log_file = log_file

    def settings(self, user: str, password: str | None = None) -> KafkaSettings:
        assert self.cluster.certificates is not None
        file = self.folder / f"{user}.{'right' if password is None else 'wrong'}"
        file.write_text(self.passwords[user] if password is None else password)
        return KafkaSettings(
            profile="production",
            bootstrap_servers=self.cluster.bootstrap_servers,
            security=ScramOverTls(self.cluster.certificates.authority, user, file),
            partitions=3,
            log_file=self.log_file,
        )


@pytest.fixture(scope="package")
def kafka_jars() -> Path:
    """Java and Kafka's jars, or a plain reason why no test of a real broker can run."""
    try:
        java()
        return libs()
    except BrokerUnavailableError as error:
        if os.environ.get("CI") or os.environ.get("CATWALK_REQUIRE_BROKER") == "1":
            pytest.fail(f"no broker can be run here: {error}")
        pytest.skip(f"no broker can be run here: {error}")


@pytest.fixture(scope="package")
def broker_folder(kafka_jars: Path) -> Iterator[Path]:
    """A folder for what brokers write."""
    folder = Path(tempfile.mkdtemp(prefix="catwalk-tests-", dir=LASTING))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="package")
def client_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """kafka-python's log, in a folder that is still there when the last client has said its last."""
    return tmp_path_factory.mktemp("kafka") / "kafka-client.log"


@pytest.fixture(scope="package")
def plain_cluster(broker_folder: Path) -> Iterator[Cluster]:
    """One broker without security."""
    with one_broker(broker_folder / "one") as cluster:
        yield cluster
        pids = [broker.pid for broker in cluster.brokers]
    assert not [pid for pid in pids if pid and is_running(pid)], "a broker outlived its cluster"


@pytest.fixture(scope="package")
def development(plain_cluster: Cluster, client_log: Path) -> KafkaSettings:
    """Settings of the plain broker, its topics created."""
    settings = KafkaSettings(
        profile="development",
        bootstrap_servers=plain_cluster.bootstrap_servers,
        security=Plaintext(),
        partitions=3,
        log_file=client_log,
    )
    topics.create(settings)
    return settings


@pytest.fixture(scope="package")
def secured(broker_folder: Path, client_log: Path) -> Iterator[Secured]:
    """Three secured brokers, their topics created and each user given its role's rights."""
    with secured_brokers(broker_folder / "three", client_log) as found:
        yield found
        pids = [broker.pid for broker in found.cluster.brokers]
    assert not [pid for pid in pids if pid and is_running(pid)], "a broker outlived its cluster"


@contextmanager
def secured_brokers(folder: Path, client_log: Path) -> Iterator[Secured]:
    """The secured brokers for callers without fixtures."""
    passwords = {user: secrets.token_urlsafe(12) for user in (ADMINISTRATOR, *USERS, *WITHOUT, *WRITERS)}
    with three_brokers(folder, passwords) as cluster:
        found = Secured(cluster, folder, passwords, client_log)
        root = found.settings(ADMINISTRATOR)
        with admin(root) as client:
            for user, role in USERS.items():
                grant(client, root, role, user)
        for user in USERS:
            wait_until_granted(found.settings(user), cluster)
        topics.create(found.settings("keeper"))
        yield found


def wait_until_granted(settings: KafkaSettings, cluster: Cluster) -> None:
    """Every broker knows the user's rights, of which the last given is to read the brokers' settings."""
    deadline = time.monotonic() + 90
    with admin(settings) as client:
        for broker in cluster.brokers:
            asked = [ConfigResource(ConfigResourceType.BROKER, str(broker.node_id))]
            while not client.describe_configs(asked, config_filter="all")["broker"][str(broker.node_id)]:
                assert time.monotonic() < deadline, f"broker {broker.node_id} does not learn the rights"
                time.sleep(0.1)


def is_running(pid: int) -> bool:
    """Whether there is such a process and it is not merely waiting to be buried."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def settings_file(folder: Path, settings: KafkaSettings) -> str:
    """The same settings as the file a person would write."""
    security = settings.security
    lines = [
        f'profile = "{settings.profile}"',
        f"bootstrap_servers = {list(settings.bootstrap_servers)}",
        f'topic_prefix = "{settings.topic_prefix}"',
        f"partitions = {settings.partitions}",
        f"bootstrap_timeout_ms = {settings.bootstrap_timeout_ms}",
        f'log_file = "{settings.log_file}"',
        f"takeover_ms = {settings.takeover_ms}",
        "[security]",
    ]
    if isinstance(security, ScramOverTls):
        lines += ['protocol = "SASL_SSL"', f'ca_file = "{security.ca_file}"', f'user = "{security.user}"']
        lines += [f'password_file = "{security.password_file}"']
    else:
        lines += ['protocol = "PLAINTEXT"']
    file = folder / "kafka.toml"
    file.write_text("\n".join(lines) + "\n")
    return str(file)


def with_prefix(settings: KafkaSettings, prefix: str) -> KafkaSettings:
    """Topics of a test's own in the shared cluster."""
    return msgspec.structs.replace(settings, topic_prefix=prefix)
