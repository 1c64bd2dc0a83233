"""compose.yaml runs brokers that the record's own check takes, as far as one machine allows."""

import re
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml

from consumers.kafka.client import consumer_settings, producer_settings
from consumers.kafka.safety import ReadBackSettings, TopicSeen, footing, topic_settings, unsafe
from consumers.kafka.settings import KafkaSettings, Plaintext, Profile
from consumers.kafka.topics import wanted
from consumers.kafka.unpacking import decoders

SERVICES: dict[str, Any] = yaml.safe_load((Path(__file__).parents[2] / "compose.yaml").read_text())["services"]


def properties(service: dict[str, Any]) -> dict[str, str]:
    """A service's broker settings by the names brokers tell them: the image turns KAFKA_A_B into a.b."""
    environment = service["environment"]
    assert all(isinstance(value, str) for value in environment.values())
    return {
        key.removeprefix("KAFKA_").lower().replace("_", "."): value
        for key, value in environment.items()
        if key.startswith("KAFKA_")
    }


def seen(settings: KafkaSettings) -> ReadBackSettings:
    """Settings the check would read from these brokers when they have created the topics."""
    brokers = {found["node.id"]: found for found in map(properties, SERVICES.values())}
    on = footing(settings.profile, len(brokers))
    topics = {
        name: TopicSeen((on.replicas,) * one.partitions, topic_settings(on, one.record_bytes))
        for name, one in wanted(settings).items()
    }
    reads = {**consumer_settings(settings), "decoders": ",".join(decoders())}
    return ReadBackSettings(len(brokers), brokers, topics, producer_settings(settings), reads)


@pytest.mark.parametrize(
    ("profile", "complaints"),
    [
        ("development", set()),
        # Plain listeners open to this machine alone: what only certificates and users could mend.
        (
            "production",
            {
                "authorizer.class.name",
                "the protocol between brokers",
                "security_protocol",
                "sasl_mechanism",
                "ssl_check_hostname",
            },
        ),
    ],
)
def test_the_three_brokers_are_as_safe_as_the_profile_asks(profile: Profile, complaints: set[str]) -> None:
    servers = tuple(f"localhost:{service['ports'][0].split(':')[1]}" for service in SERVICES.values())
    settings = KafkaSettings(profile=profile, bootstrap_servers=servers, security=Plaintext())
    assert {one.setting for one in unsafe(profile, seen(settings), wanted(settings))} == complaints


def test_the_brokers_keep_by_default_what_the_topics_ask_for() -> None:
    """A topic made by hand is no weaker."""
    asked = topic_settings(footing("production", 3), 1)
    for service in SERVICES.values():
        found = properties(service)
        assert found["min.insync.replicas"] == asked["min.insync.replicas"]
        assert found["unclean.leader.election.enable"] == asked["unclean.leader.election.enable"]
        assert found["default.replication.factor"] == "3"


def test_every_broker_has_its_own_number_port_volume_and_name() -> None:
    found = [properties(service) for service in SERVICES.values()]
    assert [one["node.id"] for one in found] == ["1", "2", "3"]
    voters = ",".join(f"{one['node.id']}@{name}:9093" for name, one in zip(SERVICES, found, strict=True))
    assert {one["controller.quorum.voters"] for one in found} == {voters}
    for name, service, one in zip(SERVICES, SERVICES.values(), found, strict=True):
        host, outside, inside = service["ports"][0].split(":")
        assert host == "127.0.0.1"
        assert inside == "9092"
        assert one["advertised.listeners"] == f"CLIENTS://localhost:{outside},INNER://{name}:9094"
        assert service["volumes"] == [f"{name}:{one['log.dirs']}"]


def test_compose_runs_the_kafka_that_is_tested() -> None:
    pom = resources.files("consumers.kafka").joinpath("pom.xml").read_text()
    version = re.search(r"<artifactId>kafka_2.13</artifactId>\s*<version>([\d.]+)<", pom)
    assert version
    assert {service["image"] for service in SERVICES.values()} == {f"apache/kafka:{version[1]}"}
