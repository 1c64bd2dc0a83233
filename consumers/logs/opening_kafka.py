"""Open a log in Kafka."""

import os
from collections.abc import Collection
from hashlib import sha256
from pathlib import Path

import click

from consumers.kafka import client, topic_names, topics
from consumers.kafka.option import kafka_trouble
from consumers.kafka.settings import KafkaSettings, KafkaSettingsError, read_settings
from consumers.kafka.topic_names import Kind
from consumers.logs.kafka import KafkaLog
from consumers.logs.kafka_index import Index
from consumers.logs.opening import LogOptionsError


def kafka_log(
    file: Path,
    kind: Kind = "facts",
    *,
    also: Collection[Kind] = (),
    made: type[KafkaLog] = KafkaLog,
) -> KafkaLog:
    """Open the log of the cluster that these settings name, after the check that it is safe."""
    try:
        settings = read_settings(file)
    except KafkaSettingsError as error:
        raise LogOptionsError(str(error)) from error
    if settings.banner:
        click.echo(settings.banner, err=True)
    with kafka_trouble():
        try:
            topics.require_safe(settings, [kind, *also])
        except topics.UnsafeKafkaError as error:
            raise UnsafeLogError(str(error)) from error
        index = client.patiently(settings, lambda: index_file(settings, kind))
        return client.patiently(settings, lambda: made(settings, Index(index), kind=kind))


def index_file(settings: KafkaSettings, kind: Kind) -> Path:
    """The index file of a topic, named by cluster and topic, so that it never belongs to another log."""
    name = topic_names.name_of(settings, kind)
    with client.admin(settings) as admin:
        cluster = admin.describe_cluster()["cluster_id"]
        topic = admin.describe_topics([name])[0]["topic_id"]
    state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state"
    return Path(state) / "catwalk/index" / f"{sha256(f'{cluster} {name} {topic}'.encode()).hexdigest()[:32]}.sqlite"


class UnsafeLogError(click.ClickException):
    """An error with exit status 2: the cluster could lose records."""

    exit_code = 2
