"""The official SDKs of CloudEvents, for Python and JavaScript, and curl: what they send is what is on record."""

import json
import os
import subprocess
from datetime import UTC, datetime
from typing import Any

from cloudevents.core.bindings.http import to_binary_event, to_structured_event
from cloudevents.core.v1.event import CloudEvent

from tests.citations import ROOT
from tests.network.serving import Site, site

__all__ = ["site"]

WHEN, AT = datetime(2026, 11, 18, 22, 0, 0, 250, tzinfo=UTC), 1_795_039_200_000_250


def by_key(site: Site) -> dict[str, dict[str, Any]]:
    return {fact["source_key"]: fact for fact in site.record()}


def test_the_sdk_for_python_sends_in_each_mode(site: Site) -> None:
    events = []
    for number in range(4):
        attributes = {"type": "catwalk.wager-placed.1", "source": "office", "id": f"python:{number}", "time": WHEN}
        more = {"subject": "T7", "dataschema": "https://example.com/wager", "partitionkey": "T7", "round": number}
        data = {"seat": 1 + number, "wager": "blind", "cents": 500, "player": "Zoë/1 %"}
        events.append(CloudEvent(attributes=attributes | more, data=data))
    batch = b"[" + b",".join(bytes(to_structured_event(event).body) for event in events[2:]) + b"]"
    sent = [
        (to_binary_event(events[0]).headers, to_binary_event(events[0]).body),
        (to_structured_event(events[1]).headers, to_structured_event(events[1]).body),
        ({"content-type": "application/cloudevents-batch+json"}, batch),
    ]
    for headers, body in sent * 2:
        told = {name.replace("-", "_"): value for name, value in headers.items()}
        assert site.post(bytes(body), **told).status == 200
    found = by_key(site)
    for number in range(4):
        fact = found[f"python:{number}"]
        assert (fact["at"], fact["round"], fact["seat"], fact["cents"]) == (AT, number, 1 + number, 500)
        assert (fact["wager"], fact["player"], fact["stream"]) == ("blind", "Zoë/1 %", "T7/2026-11-18")


def test_the_sdk_for_javascript_sends_in_each_mode(site: Site) -> None:
    events = [
        {
            "type": "catwalk.wager-placed.1",
            "source": "office",
            "id": f"javascript:{number}",
            "time": WHEN.isoformat(timespec="milliseconds"),
            "subject": "T7",
            "traceparent": "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
            "data": {"seat": 1 + number, "wager": "blind", "cents": 700, "player": "Zoë"},
        }
        for number in range(4)
    ]
    command = [
        "node",
        ROOT / "tests/javascript/send.mjs",
        f"https://localhost:{site.https}/v1/facts",
        site.secret(),
        json.dumps(events),
    ]
    trusts = os.environ | {"NODE_EXTRA_CA_CERTS": str(site.folder / "pit.crt")}
    for word in ("taken", "repeat"):
        ran = subprocess.run(command, env=trusts, capture_output=True, text=True, check=False, timeout=60)
        assert ran.returncode == 0, ran.stderr
        told = [json.loads(line) for line in ran.stdout.splitlines()]
        assert [(each["status"], each["body"][word]) for each in told] == [(200, 1), (200, 1), (200, 2)], told
    found = by_key(site)
    for number in range(4):
        fact = found[f"javascript:{number}"]
        assert (fact["at"], fact["seat"], fact["cents"]) == (AT // 1000 * 1000, 1 + number, 700)
        assert fact["player"] == "Zoë"


def test_curl_sends_a_file_as_the_page_says(site: Site) -> None:
    facts = [site.fact() for _ in range(3)]
    (site.folder / "facts.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in facts))
    (site.folder / "curl.conf").write_text(f'header = "Authorization: Bearer {site.secret()}"\n')
    command = ["curl", "--silent", "--show-error", "--fail-with-body", "--cacert", "pit.crt", "--config", "curl.conf"]
    body = ["--header", "Content-Type: application/x-ndjson", "--data-binary", "@facts.jsonl"]
    address = f"https://localhost:{site.https}/v1/facts"
    ran = subprocess.run([*command, *body, address], cwd=site.folder, capture_output=True, check=False, timeout=60)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["taken"] == 3
