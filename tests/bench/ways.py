"""The ways into the gateway beside its local socket, in one run: facts a second, and the gateway's processor time a fact.

One source sends everything, and then 100 sources at once. `python -m tests.bench.ways` runs it alone.
"""

import json
import os
import socket
import sqlite3
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

from consumers.kafka.clusters import one_broker
from consumers.kafka.settings import KafkaSettings, Plaintext
from tests.kafka.inputs import InputsSite
from tests.kafka.writers import Librdkafka
from tests.network.serving import Site, opened

FACTS = 6_000
SOURCES = 100
BATCH = 300  # facts of a request
ROUNDS = 2  # the best of so many counts
_TICKS = os.sysconf("SC_CLK_TCK")

Way = Callable[[Site, str, Sequence[dict[str, Any]]], None]


def _by_lines(one: socket.socket, said: Sequence[dict[str, Any]]) -> None:
    with one:
        one.settimeout(300)
        sender = threading.Thread(
            target=one.sendall, args=(b"".join(json.dumps(each).encode() + b"\n" for each in said),)
        )
        sender.start()
        with one.makefile("rb") as told:
            while json.loads(told.readline())["taken"] < len(said):
                pass
        sender.join()


def at_the_socket(site: Site, secret: str, facts: Sequence[dict[str, Any]]) -> None:
    one = socket.socket(socket.AF_UNIX)
    one.connect(str(site.folder / "sock"))
    _by_lines(one, [{"source": facts[0]["source"], "secret": secret}, *facts])


def over_tls(site: Site, secret: str, facts: Sequence[dict[str, Any]]) -> None:
    trusts = ssl.create_default_context(cafile=str(site.folder / "pit.crt"))
    one = trusts.wrap_socket(socket.create_connection(("localhost", site.tls)), server_hostname="localhost")
    _by_lines(one, [{"source": facts[0]["source"], "secret": secret}, *facts])


def by_https(site: Site, secret: str, facts: Sequence[dict[str, Any]]) -> None:
    client = HTTPSConnection("localhost", site.https, timeout=300, context=site.trusts)
    headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/x-ndjson"}
    for at in range(0, len(facts), BATCH):
        body = b"".join(json.dumps(each).encode() + b"\n" for each in facts[at : at + BATCH])
        client.request("POST", "/v1/facts", body, headers)
        answer = client.getresponse()
        assert (answer.status, len(json.loads(answer.read())["facts"])) == (200, len(facts[at : at + BATCH]))
    client.close()


def by_topic(site: Site, _: str, facts: Sequence[dict[str, Any]]) -> None:
    """Write into the source's topic with librdkafka; `_measured` waits until all is on record."""
    if not isinstance(site, InputsSite):
        raise TypeError("this site reads no topics")
    assert Librdkafka(site.settings, "lz4", linger_ms=5).write(site.topic(facts[0]["source"]), facts).finish() == []


WAYS: dict[str, Way] = {
    "local socket": at_the_socket,
    "lines over TLS": over_tls,
    "HTTPS": by_https,
    "Kafka topic": by_topic,
}


def _processor_seconds(pid: int) -> float:
    told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) / _TICKS


def _measured(site: Site, way: Way, names: Sequence[str], secrets: dict[str, str]) -> tuple[float, float]:
    """Facts a second, and microseconds of the gateway's processor time a fact."""
    each = FACTS // len(names)
    told = {
        name: [site.fact(source=f"{name}-topic" if way is by_topic else name) for _ in range(each)] for name in names
    }
    senders = [threading.Thread(target=way, args=(site, secrets[name], facts)) for name, facts in told.items()]
    wanted = _on_record(site) + each * len(names)
    cost, began = _processor_seconds(site.gateway.pid), time.monotonic()
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    while _on_record(site) < wanted:
        time.sleep(0.01)
    took = time.monotonic() - began
    return each * len(names) / took, (_processor_seconds(site.gateway.pid) - cost) / FACTS * 1e6


def _on_record(site: Site) -> int:
    with closing(sqlite3.connect(f"file:{site.folder}/pit/record/facts.sqlite?mode=ro", uri=True)) as log:
        (count,) = log.execute("SELECT count(*) FROM facts WHERE topic = 'wager-placed.1'").fetchone()
    return int(count)


def report() -> None:
    """Measures each way in turns and prints it beside the local socket."""
    names = [f"device-{number}" for number in range(SOURCES)]
    with (
        tempfile.TemporaryDirectory() as folder,
        one_broker(Path(folder)) as cluster,
        opened(Path(folder), *names, made=InputsSite) as site,
    ):
        secrets = {name: site.secret(name) for name in names}
        settings = KafkaSettings("development", cluster.bootstrap_servers, Plaintext(), log_file=Path(folder) / "log")
        site.reads(settings, *(f"{name}-topic" for name in names))
        site.begin("--clients", SOURCES + 20)
        for many in (names[:1], names):
            best: dict[str, tuple[float, float]] = {}
            for _ in range(ROUNDS):
                for name, way in WAYS.items():
                    rate, cost = _measured(site, way, many, secrets)
                    before = best.get(name, (0.0, float("inf")))
                    best[name] = max(before[0], rate), min(before[1], cost)
            _, peer = best["local socket"]
            for name, (rate, cost) in best.items():
                told = (
                    f"{len(many):>3} sources   {name:<15} {rate:>8,.0f} facts/s   {cost:>6,.0f} us of processor a fact"
                )
                print(f"{told}   ratio {cost / peer:.2f}")
        site.end()


if __name__ == "__main__":
    report()
