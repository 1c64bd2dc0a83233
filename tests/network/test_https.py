"""Facts by HTTPS: each has its answer, none is lost or doubled, and what cannot be taken is refused in a sentence."""

import base64
import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any

import pytest

from tests.network.serving import Site, document, opened, site

__all__ = ["site"]


def keys(site: Site) -> list[str]:
    """The keys on record of every source, in their order."""
    return [fact["source_key"] for fact in site.record()]


def test_each_fact_has_its_answer_in_order(site: Site) -> None:
    """Taken, a repeat, refused by the writer, refused by admission, and no fact at all."""
    one, elsewhere, foreign = site.fact(), site.fact(stream="T9"), site.fact(source="shoe")
    said = site.send(one, one, elsewhere, foreign, b"{", b"", site.fact())
    assert said.status == 422
    assert said.words == "1:taken 2:repeat 3:day-not-open 4:source-unproved 5:not-json 7:taken"
    assert (said.body["taken"], said.body["repeat"], said.body["refused"]) == (2, 1, 3)
    assert "no day of T9 is open: send its opening first" in said.body["facts"][2]["says"]


def test_the_same_batch_twice_is_the_same_facts(site: Site) -> None:
    batch = [site.fact() for _ in range(40)]
    assert site.send(*batch).body["taken"] == 40
    again = site.send(*batch)
    assert (again.status, again.body["repeat"]) == (200, 40)
    told = [fact["source_key"] for fact in batch]
    assert [key for key in keys(site) if key in told] == told


def test_what_was_answered_is_on_record(site: Site) -> None:
    """Also what was refused: it is a dead letter by the time of the answer, with the number of its line."""
    good, bad = site.fact(), site.fact(seat=99)
    said = site.send(good, bad)
    assert good["source_key"] in keys(site)
    (letter,) = [each for each in site.letters() if bad["source_key"].encode() in base64.b64decode(each["bytes"])]
    assert letter["place"] == 2
    assert "by HTTPS" in letter["came_from"]
    assert letter["says"] == said.body["facts"][1]["says"]


MODES = """
what                        | content type                         | event
structured                  | application/cloudevents+json         | one
structured, with a charset  | application/cloudevents+json; charset=UTF-8 | one
structured, over many lines | application/cloudevents+json         | pretty
structured, data in base64  | application/cloudevents+json         | base64
batch                       | application/cloudevents-batch+json   | batch
JSON lines                  | application/x-ndjson                 | one
JSON lines by another name  | application/jsonl                    | one
one JSON object             | application/json                     | pretty
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in MODES.strip().splitlines()[1:]]


@pytest.mark.parametrize(("what", "content_type", "form"), ROWS, ids=[row[0] for row in ROWS])
def test_a_cloudevent_is_taken_in_each_mode(site: Site, what: str, content_type: str, form: str) -> None:
    """With what others add, too."""
    event = site.event(dataschema="https://example.com/w", traceparent="00-1-2-01", partitionkey="T7", myextension=7)
    if form == "base64":
        event["data_base64"] = base64.b64encode(json.dumps(event.pop("data")).encode()).decode()
    body = json.dumps([event] if form == "batch" else event, indent=2 if form == "pretty" else None)
    said = site.post(body.encode(), Content_Type=content_type)
    assert (said.status, said.words) == (200, "1:taken"), said
    found = next(fact for fact in site.record() if fact["source_key"] == event["id"])
    assert (found["cents"], found["at"], found["stream"]) == (1000, 1_795_039_200_000_000, "T7/2026-11-18"), what


def test_a_cloudevent_is_taken_in_the_binary_mode(site: Site) -> None:
    event = site.event(comment="50 % für T7")
    data = json.dumps(event.pop("data")).encode()
    event["comment"] = "50%20%25%20f%C3%BCr%20T7"
    headers = {f"ce_{name}": str(value) for name, value in event.items()}
    said = site.post(data, Content_Type="application/json; charset=utf-8", **headers)
    assert (said.status, said.words) == (200, "1:taken"), said
    assert event["id"] in keys(site)


NULLS = """
what                  | more
no base64             | {"data_base64": null}
data in base64        | {"data": null, "data_base64": "eyJzZWF0IjoxLCJ3YWdlciI6ImFudGUiLCJjZW50cyI6MTAwMH0="}
no round and no key   | {"round": null, "partitionkey": null, "time": "2026-11-18t22:00:00z"}
"""
ABSENT = [[cell.strip() for cell in row.split("|")] for row in NULLS.strip().splitlines()[1:]]


@pytest.mark.parametrize(("what", "more"), ABSENT, ids=[row[0] for row in ABSENT])
def test_an_attribute_of_null_is_absent(site: Site, what: str, more: str) -> None:
    """Libraries write null for what is not there, in the data as elsewhere."""
    event = site.event(**json.loads(more))
    said = site.post(json.dumps(event).encode(), Content_Type="application/cloudevents+json")
    assert (said.status, said.words) == (200, "1:taken"), what
    found = next(fact for fact in site.record() if fact["source_key"] == event["id"])
    assert (found["cents"], found["at"]) == (1000, 1_795_039_200_000_000)


def test_data_of_null_is_a_fact_without_fields_of_its_own(site: Site) -> None:
    event = site.event(type="catwalk.bets-closed.1", data=None)
    said = site.post(json.dumps(event).encode(), Content_Type="application/cloudevents+json")
    assert (said.status, said.words) == (200, "1:taken"), said


def test_the_same_event_with_another_trace_is_a_repeat(site: Site) -> None:
    """A sender's library writes another trace each time it tries again."""
    event = site.event()
    for trace, word in (("00-1-1-01", "taken"), ("00-2-2-01", "repeat")):
        said = site.post(
            json.dumps(event | {"traceparent": trace}).encode(), Content_Type="application/cloudevents+json"
        )
        assert said.words == f"1:{word}"


REFUSED = """
what                    | body          | headers                                       | status | code               | says
another type            | {}            | content-type: text/plain                      | 415 | type-not-accepted     | the body's type is text/plain: set Content-Type to one of application/x-ndjson,
no type                 | {}            |                                               | 415 | type-not-accepted     | the body's type is not given
another charset         | {}            | content-type: application/json; charset=latin1 | 415 | type-not-accepted    | send it in UTF-8
a packed body           | {}            | content-type: application/json, content-encoding: gzip | 415 | encoding-not-accepted | send it without Content-Encoding
binary data of another type | <a/>      | content-type: text/xml, ce-specversion: 1.0   | 415 | type-not-accepted     | the event's data is text/xml
half a JSON             | {"a":         | content-type: application/json                | 400 | body-not-json         | the body is not JSON
two objects             | {} {}         | content-type: application/cloudevents+json    | 400 | body-not-json         | trailing characters
a batch that is one     | {}            | content-type: application/cloudevents-batch+json | 400 | body-not-json      | the body is not a JSON array of events
an attribute twice      | {}            | content-type: application/json, ce-specversion: 1.0, ce-id: 1, Ce-Id: 2 | 400 | header-not-clear | ce-id
no text in an attribute | {}            | content-type: application/json, ce-specversion: 1.0, ce-id: %ff | 400 | header-not-clear | not percent-encoded UTF-8
nothing                 |               | content-type: application/x-ndjson            | 400 | body-empty            | the body has no fact: write one fact on each line
no event                | []            | content-type: application/cloudevents-batch+json | 400 | body-empty         | the body has no fact
members smuggled in     | {}},"type":{  | content-type: application/json, ce-specversion: 1.0 | 400 | body-not-json   | trailing characters
another scheme          | {}            | content-type: application/json, authorization: Basic eDp5 | 401 | secret-wrong | Authorization: Bearer SECRET
a wrong secret          | {}            | content-type: application/json, authorization: Bearer xyz | 401 | secret-wrong | this is not the secret of any source
"""
REQUESTS = [[cell.strip() for cell in row.split(" | ")] for row in REFUSED.strip().splitlines()[1:]]


@pytest.mark.parametrize(
    ("what", "body", "headers", "status", "code", "says"), REQUESTS, ids=[row[0] for row in REQUESTS]
)
def test_a_request_is_refused_as_a_whole_in_a_sentence(  # noqa: PLR0917
    site: Site, what: str, body: str, headers: str, status: str, code: str, says: str
) -> None:
    """The gateway takes and keeps nothing of it."""
    before = len(site.letters())
    client = HTTPSConnection("localhost", site.https, timeout=30, context=site.trusts)
    client.putrequest("POST", "/v1/facts")
    told = [header.partition(": ")[::2] for header in headers.split(", ") if header]
    if "authorization" not in headers:
        told.append(("authorization", f"Bearer {site.secret()}"))
    for name, value in [*told, ("content-length", str(len(body)))]:
        client.putheader(name, value)
    client.endheaders(body.encode())
    answer = client.getresponse()
    found = json.loads(answer.read())
    client.close()
    assert (answer.status, found["code"]) == (int(status), code), what
    assert says in found["says"]
    if status == "401":
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert len(site.letters()) == before


def test_a_body_that_is_too_long_is_refused_before_it_is_read(site: Site) -> None:
    """With its length in a header, or without."""
    client = HTTPSConnection("localhost", site.https, timeout=30, context=site.trusts)
    client.putrequest("POST", "/v1/facts")
    for name, value in (("content-type", "application/x-ndjson"), ("content-length", str(1 << 40))):
        client.putheader(name, value)
    client.endheaders()
    answer = client.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (413, "batch-too-large")
    client.close()
    endless = (b"x" * (1 << 20) for _ in range(64))
    with pytest.raises(OSError, match=r"."):  # it is cut off in the middle of its body
        client.request("POST", "/v1/facts", endless, {"content-type": "application/x-ndjson"}, encode_chunked=True)
    client.close()
    said = site.send(*[b"{}"] * 10_001)
    assert (said.status, said.body["code"]) == (413, "batch-too-large")
    assert "the batch has 10,001 lines; the limit is 10,000" in said.body["says"]


@pytest.mark.parametrize("sent", [b"no HTTP at all\r\n\r\n", b"POST /v1/facts HTTP/1.1\r\nHost: x\r\nX: \0\r\n\r\n"])
def test_what_is_not_http_is_answered_in_plain_text_as_the_document_says(site: Site, sent: bytes) -> None:
    with site.trusts.wrap_socket(
        socket.create_connection(("localhost", site.https)), server_hostname="localhost"
    ) as client:
        client.settimeout(10)
        client.sendall(sent)
        head = client.recv(9999).lower()
    assert head.startswith(b"http/1.1 400 ")
    assert b"content-type: text/plain" in head
    assert "text/plain" in document()["paths"]["/v1/facts"]["post"]["responses"]["400"]["content"]


def test_requests_of_one_source_neither_double_nor_reorder(site: Site) -> None:
    """Six at once, each sent twice: every batch stands in one piece, and each fact once."""
    batches = [[site.fact() for _ in range(60)] for _ in range(3)]
    said: list[int] = []
    senders = [
        threading.Thread(target=lambda batch=batch: said.append(site.send(*batch).status)) for batch in batches * 2
    ]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert said == [200] * 6
    told = {fact["source_key"]: number for number, batch in enumerate(batches) for fact in batch}
    found = [key for key in keys(site) if key in told]
    assert len(found) == len(told)
    runs = [told[key] for place, key in enumerate(found) if not place or told[found[place - 1]] != told[key]]
    assert sorted(runs) == [0, 1, 2], "the batches are mixed"
    for batch in batches:
        mine = [fact["source_key"] for fact in batch]
        assert [key for key in found if key in mine] == mine


def test_a_sender_with_too_many_batches_is_told_to_wait(site: Site) -> None:
    """The sender loses nothing, because it sends the batch again."""
    batches = [[site.fact() for _ in range(80)] for _ in range(16)]
    waited: list[str] = []

    def send(batch: list[dict[str, Any]]) -> None:
        while (said := site.send(*batch)).status == 429:
            waited.append(said.body["code"])
            time.sleep(0.05 * int(said.headers["Retry-After"]))
        assert said.status == 200

    senders = [threading.Thread(target=send, args=(batch,)) for batch in batches]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert set(waited) == {"too-many-batches"}
    found = keys(site)
    assert all(fact["source_key"] in found for batch in batches for fact in batch)


def test_the_document_is_served(site: Site) -> None:
    client = HTTPSConnection("localhost", site.https, timeout=30, context=site.trusts)
    client.request("GET", "/v1/openapi.json")
    served = json.loads(client.getresponse().read())
    client.request("GET", "/v1/facts")
    answer = client.getresponse()
    assert (answer.status, answer.headers["Allow"]) == (405, "POST")
    answer.read()
    client.request("GET", "/docs")
    answer = client.getresponse()
    assert (answer.status, json.loads(answer.read())["code"]) == (404, "address-unknown")
    client.close()
    assert served["openapi"].startswith("3.1")


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Site]:
    """A gateway for one test."""
    with opened(tmp_path) as one:
        yield one


def test_a_gateway_that_is_asked_to_end_answers_what_it_took(own: Site) -> None:
    """The rest of the batch is sent again: one answer or the other, and the record has each fact once."""
    own.start()
    batch = [own.fact() for _ in range(4000)]
    said: list[Any] = []
    sender = threading.Thread(target=lambda: said.append(own.send(*batch)))
    sender.start()
    while not any(key.startswith("w:") for key in keys(own)):
        time.sleep(0.005)
    own.end()
    sender.join()
    answers = said[0].body["facts"]
    assert said[0].status == 503
    assert said[0].body["code"] == "gateway-ending"
    assert answers
    taken = {fact["source_key"] for fact in batch[: len(answers)]}
    assert taken <= set(keys(own))
    own.start()
    again = own.send(*batch)
    assert again.status == 200
    assert again.body["repeat"] >= len(answers)
    assert [key for key in keys(own) if key.startswith("w:")] == [fact["source_key"] for fact in batch]
    own.end()


def test_slow_clients_are_cut_off_and_do_not_keep_others_out(own: Site) -> None:
    """One that never ends its head, one that never ends its body, one that never begins TLS."""
    own.start("--clients", 4, "--half-line-seconds", 1)
    raw = socket.create_connection(("localhost", own.https))
    head = own.trusts.wrap_socket(socket.create_connection(("localhost", own.https)), server_hostname="localhost")
    head.sendall(b"POST /v1/facts HTTP/1.1\r\nHost:")
    body = own.trusts.wrap_socket(socket.create_connection(("localhost", own.https)), server_hostname="localhost")
    body.sendall(b"POST /v1/facts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
    for one in (head, body):
        one.settimeout(10)
    assert own.send(own.fact()).status == 200
    assert b" 408 " in body.recv(999)
    assert _ends(head)
    raw.close()
    own.end()


def _ends(one: socket.socket) -> bool:
    try:
        return one.recv(999) == b""
    except (ConnectionError, ssl.SSLError):
        return True


def test_an_answer_has_the_parts_that_the_dead_letter_has_in_one_form(site: Site) -> None:
    """The reader, admission and the writer refuse alike: what came is a value as JSON."""
    wrong = {
        "day-not-open": site.fact(stream="T9"),
        "source-unproved": site.fact(source="shoe"),
        "already-numbered": site.fact(sequence=7),
        "word-unknown": site.fact(type="card-dealt.1", to="seatt", card="Ah"),
        "card-unknown": site.fact(type="card-dealt.1", to="seat", card="10h"),
        "field-unknown": {("seet" if name == "seat" else name): value for name, value in site.fact().items()},
        "money-wrong": site.fact(cents="1000"),
    }
    del wrong["word-unknown"]["wager"], wrong["word-unknown"]["cents"]
    del wrong["card-unknown"]["wager"], wrong["card-unknown"]["cents"]
    said = site.send(*wrong.values()).body["facts"]
    assert [one["code"] for one in said] == list(wrong)
    came = [json.loads(one["came"]) for one in said]
    assert came == ["T9", "shoe", 7, "seatt", "10h", 1, "1000"]
    assert [json.loads(one["cure"]) for one in said if "cure" in one] == ["seat", "Th", "seat", 1000]
    kept = {each["place"]: each["refused"] for each in site.letters()[-len(said) :]}
    assert [kept[one["line"]] for one in said] == [
        {name: value for name, value in one.items() if name not in ("line", "answer")} for one in said
    ]
