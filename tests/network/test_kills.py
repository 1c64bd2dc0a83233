"""kill -9 of the gateway while sources send by HTTPS, over TLS and at the socket: nothing is lost, nothing doubled.

Each source sends everything again after each death, as its page says. KILLS is how many gateways die.
"""

import json
import os
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.client import HTTPException
from pathlib import Path
from typing import Any

from tests.network.serving import AnySite, Site, opened

KILLS = int(os.environ.get("KILLS", "4"))
SEED = 17
FACTS, BATCH = 600, 40
LONGEST = 0.6  # seconds a gateway lives once it listens

Way = Callable[[Site, Sequence[dict[str, Any]]], bool]


def by_https(site: Site, facts: Sequence[dict[str, Any]]) -> bool:
    """Send batches, each when the one before it is answered; return whether all were."""
    try:
        return all(site.send(*facts[at : at + BATCH]).status == 200 for at in range(0, len(facts), BATCH))
    except (OSError, HTTPException):
        return False


def by_lines(one: socket.socket, said: Sequence[dict[str, Any]]) -> bool:
    with one:
        one.settimeout(60)
        one.sendall(b"".join(json.dumps(each).encode() + b"\n" for each in said))
        with one.makefile("rb") as told:
            return any(json.loads(line).get("taken") == len(said) for line in told)


def over_tls(site: Site, facts: Sequence[dict[str, Any]]) -> bool:
    try:
        one = site.trusts.wrap_socket(socket.create_connection(("localhost", site.tls)), server_hostname="localhost")
        return by_lines(one, [{"source": "shoe", "secret": site.secret("shoe")}, *facts])
    except (OSError, ssl.SSLError, ValueError):
        return False


def at_the_socket(site: Site, facts: Sequence[dict[str, Any]]) -> bool:
    try:
        one = socket.socket(socket.AF_UNIX)
        one.connect(str(site.folder / "sock"))
        return by_lines(one, [{"source": "local", "secret": site.secret("local")}, *facts])
    except (OSError, ValueError):
        return False


WAYS: dict[str, Way] = {"office": by_https, "shoe": over_tls, "local": at_the_socket}


def test_gateways_killed_while_three_ways_in_deliver_lose_and_double_nothing(tmp_path: Path) -> None:
    killed(tmp_path, Site, WAYS)


def killed(
    folder: Path,
    made: type[AnySite],
    ways: Mapping[str, Callable[[AnySite, Sequence[dict[str, Any]]], bool]],
    prepare: Callable[[AnySite], tuple[object, ...]] = lambda _: (),
) -> None:
    """Kill gateways of a site of this kind, with these sources and their ways in; `prepare` returns its options."""
    chance = random.Random(SEED)  # noqa: S311 - it can be repeated
    with opened(folder, "local", made=made) as site:
        options = prepare(site)
        told = {source: [site.fact(source=source) for _ in range(FACTS)] for source in ways}
        killed_in_flight = 0
        for _ in range(KILLS):
            site.start(*options)
            before = len(site.everything())
            senders = [
                threading.Thread(target=way, args=(site, told[source]), daemon=True) for source, way in ways.items()
            ]
            for sender in senders:
                sender.start()
            time.sleep(chance.uniform(0, LONGEST))
            killed_in_flight += any(sender.is_alive() for sender in senders)
            site.gateway.kill()
            for sender in senders:
                sender.join(60)
            assert site.gateway.wait() == -9
            assert len(site.everything()) >= before
        site.start(*options)
        for source, way in ways.items():
            assert way(site, told[source]), source
        site.end()
        assert killed_in_flight >= KILLS / 2, "the kills came when nothing was under way"
        found = [fact for fact in site.everything() if fact["source"] in ways and fact["type"] == "wager-placed.1"]
        for source, facts in told.items():
            mine = [fact["source_key"] for fact in found if fact["source"] == source]
            assert mine == [fact["source_key"] for fact in facts], f"{source}: lost, doubled or reordered"
        _, said = site.nursery.run("doctor", "--data", "pit", "--json")
        kinds = {json.loads(line)["kind"] for line in said.splitlines() if line.startswith('{"kind"')}
        assert kinds == {"unsealed-long"}, f"no key is here, and all else is whole: {said}"
        assert not site.letters()
