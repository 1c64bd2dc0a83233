"""Topics on a real broker of the development profile: created, read back, refused, and the command around them."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.kafka import topic_names, topics
from consumers.kafka.broker import free_ports
from consumers.kafka.client import admin
from consumers.kafka.jars import cache_folder
from consumers.kafka.settings import KafkaSettings
from tests.kafka.conftest import is_running, settings_file, with_prefix
from tests.kafka.load import faults, send

pytestmark = pytest.mark.xdist_group("kafka")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["topics", *arguments])


def test_topics_are_created_once_and_are_safe(development: KafkaSettings, tmp_path: Path) -> None:
    file = settings_file(tmp_path, with_prefix(development, "fresh."))
    first = run("create", "--kafka", file)
    assert first.exit_code == 0, first.output
    assert first.stdout.splitlines() == [f"fresh.{kind}: created" for kind in topic_names.ALL]
    assert "DEVELOPMENT PROFILE" in first.stderr
    again = run("create", "--kafka", file)
    assert again.stdout.splitlines() == [f"fresh.{kind}: already exists and is safe" for kind in topic_names.ALL]
    checked = run("check", "--kafka", file)
    assert checked.exit_code == 0
    assert checked.stdout == f"safe: {', '.join(f'fresh.{kind}' for kind in topic_names.ALL)}\n"


def test_an_unsafe_topic_is_found_and_not_altered(development: KafkaSettings, tmp_path: Path) -> None:
    settings = with_prefix(development, "unsafe.")
    unsafe = {"cleanup.policy": "compact", "retention.ms": "1000"}
    with admin(settings) as client:
        made = {"num_partitions": 2, "replication_factor": 1, "configs": unsafe}
        client.create_topics({"unsafe.facts": made}, wait_for_metadata=True)
    file = settings_file(tmp_path, settings)
    for command in ("create", "check"):
        told = run(command, "--kafka", file)
        assert told.exit_code == 1
        found = [line.split(" is ")[0] for line in told.stdout.splitlines() if line.startswith("unsafe.facts")]
        assert found == [
            "unsafe.facts: the number of partitions",
            "unsafe.facts: cleanup.policy",
            "unsafe.facts: retention.ms",
            "unsafe.facts: message.timestamp.type",
        ]
    one = json.loads(run("check", "--kafka", file, "--only", "facts", "--json").stdout)[1]
    assert one["setting"] == "cleanup.policy"
    assert one["found"] == "compact"
    assert one["do"].endswith("--entity-name unsafe.facts --add-config cleanup.policy=delete")


def test_missing_topics_are_found(development: KafkaSettings, tmp_path: Path) -> None:
    settings = with_prefix(development, "nowhere.")
    told = run("check", "--kafka", settings_file(tmp_path, settings))
    assert told.exit_code == 1
    assert told.stdout.count("is missing") == len(topic_names.ALL)
    with pytest.raises(topics.UnsafeKafkaError, match=r"nowhere.facts: the topic is missing"):
        topics.require_safe(settings, ("facts",))
    with admin(settings) as client:
        assert not [name for name in client.list_topics() if name.startswith("nowhere")]


def test_one_broker_is_refused_in_production(development: KafkaSettings) -> None:
    settings = msgspec.structs.replace(development, profile="production", topic_prefix="production.")
    with pytest.raises(topics.UnsafeKafkaError) as refused:
        topics.create(settings)
    assert {one.setting for one in refused.value.found} >= {
        "the number of brokers",
        "authorizer.class.name",
        "the protocol between brokers",
        "security_protocol",
    }


def test_facts_go_in_and_come_out_in_order(development: KafkaSettings) -> None:
    topic = topic_names.name_of(development, "facts")
    sent = send(development, topic, 2000)
    assert len(sent.acknowledged) == 2000
    assert faults(development, topic, sent) == []


@pytest.mark.parametrize("arguments", [["check"], ["create"]], ids=" ".join)
def test_a_broker_that_is_not_there_is_status_2(arguments: list[str], tmp_path: Path) -> None:
    file = tmp_path / "kafka.toml"
    file.write_text(
        'profile = "development"\nbootstrap_servers = ["localhost:1"]\nbootstrap_timeout_ms = 300\n'
        'log_file = "log"\n[security]\nprotocol = "PLAINTEXT"\n'
    )
    told = run(*arguments, "--kafka", str(file))
    assert told.exit_code == 2
    assert "no connection to Kafka at localhost:1" in told.stderr
    assert (tmp_path / "log").read_text()


def test_settings_that_cannot_be_used_are_status_2(tmp_path: Path) -> None:
    told = run("check", "--kafka", str(tmp_path / "none.toml"))
    assert told.exit_code == 2
    assert "No such file" in told.stderr
    assert run("check").exit_code == 2


def _as_at_a_terminal() -> None:
    """Restore Ctrl-C for tests started in the background, where they and all their processes ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL], ids=lambda how: how.name)
def test_the_broker_of_make_kafka_ends_with_it(how: signal.Signals, kafka_jars: Path) -> None:
    ports = [str(port) for port in free_ports(2)]
    command = [sys.executable, "-m", "consumers.kafka.play", "--ports", *ports]
    playing = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=_as_at_a_terminal,  # noqa: PLW1509 - it takes no lock
    )
    file: Path | None = None
    try:
        assert playing.stdout is not None
        said = [playing.stdout.readline() for _ in range(5)]
        assert "DEVELOPMENT PROFILE" in said[0]
        assert ports[0] in said[1]
        file = Path(said[3].split("=")[1].strip())
        assert file.is_file()
        if how is signal.SIGINT:
            assert run("check", "--kafka", str(file)).exit_code == 0
        children = Path(f"/proc/{playing.pid}/task/{playing.pid}/children").read_text().split()
        assert children
        playing.send_signal(how)
        playing.wait(60)
        deadline = time.monotonic() + 60
        while any(is_running(int(pid)) for pid in children):
            assert time.monotonic() < deadline, "the broker outlived make kafka"
            time.sleep(0.05)
        assert file.exists() == (how is signal.SIGKILL)
    finally:
        playing.kill()
        playing.wait()
        if file is not None:
            # What a killed `make kafka` could not clear away itself.
            assert file.resolve().parent.parent == cache_folder()
            shutil.rmtree(file.parent, ignore_errors=True)
