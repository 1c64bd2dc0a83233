"""A gateway that listens for HTTPS and for lines over TLS, and a client of it that holds each answer against its document."""

import json
import re
import sqlite3
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from email.message import Message
from functools import cache
from http.client import HTTPSConnection
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, overload

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs

from domain.facts.codec import encode
from tests.citations import ROOT
from tests.gateway.admitted import ALL, begin, register, run
from tests.gateway.floor import opening
from tests.gateway.nursery import Nursery

DAY, AT = "2026-11-18", 1_795_040_000_000_000
END_SECONDS = 6


class Answered(NamedTuple):
    """An answer of the gateway."""

    status: int
    headers: Message
    body: Any

    @property
    def words(self) -> str:
        """The result of each fact, in order."""
        return " ".join(f"{one['line']}:{one.get('code') or one['answer']}" for one in self.body["facts"])


class Site:
    """A record, its gateway, and what its clients need."""

    def __init__(self, nursery: Nursery, folder: Path, *sources: str) -> None:
        self.nursery, self.folder = nursery, folder
        certify(folder)
        begin(folder / "pit")
        for source in ("office", "shoe", *sources):
            register(folder / "pit", source, *ALL, "--secret-out", folder / f"{source}.secret")
        self.keys = 0

    def start(self, *options: object, https: str = "localhost:0", tls: str = "localhost:0") -> None:
        """Start its gateway and note its ports."""
        (self.folder / "sock").unlink(missing_ok=True)
        ways = ("--https", https, "--tls", tls, "--certificate", "pit.crt", "--key", "pit.key")
        self.gateway = self.nursery.start("gateway", "--data", "pit", "--socket", "sock", *ways, *options)
        while not (found := re.findall(r"listening on \S+:(\d+) for", self.said())) or len(found) < 2:
            assert self.gateway.wait(0) is None, self.said()
            time.sleep(0.01)
        self.https, self.tls = map(int, found)

    def said(self) -> str:
        """The messages of the gateway so far."""
        return self.gateway.told.read_text() if self.gateway.told.exists() else ""

    def end(self) -> None:
        """The gateway ends when it is asked to, in time and without a word of complaint."""
        self.gateway.ask_to_end()
        assert self.gateway.wait(END_SECONDS) == 0, self.said()
        assert "Traceback" not in self.said()

    def secret(self, source: str = "office") -> str:
        return (self.folder / f"{source}.secret").read_text().strip()

    @property
    def trusts(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.folder / "pit.crt"))

    def fact(self, **more: Any) -> dict[str, Any]:
        """A wager that nobody has told yet."""
        self.keys += 1
        fact = {"type": "wager-placed.1", "seat": 1, "wager": "ante", "cents": 1000, "stream": "T7"}
        return fact | {"at": AT + self.keys, "source": "office", "source_key": f"w:{self.keys}"} | more

    def event(self, **more: Any) -> dict[str, Any]:
        """The same as a CloudEvent."""
        self.keys += 1
        data = {"seat": 1, "wager": "ante", "cents": 1000}
        event = {"specversion": "1.0", "type": "catwalk.wager-placed.1", "source": "office", "id": f"e:{self.keys}"}
        return event | {"time": "2026-11-18T22:00:00Z", "subject": "T7", "data": data} | more

    def post(self, body: bytes, *, secret: str | None = None, path: str = "/v1/facts", **headers: str) -> Answered:
        """Send one request on a connection of its own."""
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        if secret is None:
            secret = self.secret()
        if secret:
            told["Authorization"] = f"Bearer {secret}"
        client = HTTPSConnection("localhost", self.https, timeout=30, context=self.trusts)
        try:
            client.request("POST", path, body, told)
            answer = client.getresponse()
            said = Answered(answer.status, answer.headers, json.loads(answer.read()))
        finally:
            client.close()
        judge(said)
        return said

    def send(self, *facts: Mapping[str, Any] | bytes, **more: Any) -> Answered:
        """Send facts as JSON lines."""
        lines = b"".join((one if isinstance(one, bytes) else json.dumps(one).encode()) + b"\n" for one in facts)
        return self.post(lines, Content_Type="application/x-ndjson", **more)

    def register_signing(self, source: str, key: Path) -> None:
        """Register a source that signs with a key that OpenSSL makes; the running gateway learns it at once."""
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
        command = ["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"]
        public = subprocess.run(command, check=True, capture_output=True).stdout[-32:].hex()
        register(self.folder / "pit", source, *ALL, "--public-key", public)

    def record(self) -> list[dict[str, Any]]:
        """Every fact on record, in its order, but for the gateway's own."""
        return [fact for fact in self.everything() if fact["source"] not in ("gateway", "catwalk sources")]

    def everything(self) -> list[dict[str, Any]]:
        """Every fact on record, in its order."""
        log = sqlite3.connect(f"file:{self.folder}/pit/record/facts.sqlite?mode=ro", uri=True)
        try:
            facts = [json.loads(stored) for (stored,) in log.execute("SELECT state FROM facts ORDER BY position")]
        finally:
            log.close()
        return facts

    def letters(self) -> list[dict[str, Any]]:
        """Every dead letter."""
        status, said = self.nursery.run("dead-letters", "list", "--data", "pit", "--json")
        assert status == 0, said
        return [json.loads(line) for line in said.splitlines()]


AnySite = TypeVar("AnySite", bound=Site)


def certify(folder: Path) -> None:
    """Make a certificate as an operator would."""
    words = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30 -subj /CN=localhost"
    names = "subjectAltName=DNS:localhost,IP:127.0.0.1"
    files = ["-keyout", str(folder / "pit.key"), "-out", str(folder / "pit.crt")]
    subprocess.run(["openssl", *words.split(), "-addext", names, *files], check=True, capture_output=True)


@overload
def opened(folder: Path, *sources: str) -> AbstractContextManager[Site]: ...
@overload
def opened(folder: Path, *sources: str, made: type[AnySite]) -> AbstractContextManager[AnySite]: ...
@contextmanager
def opened(folder: Path, *sources: str, made: type[Site] = Site) -> Iterator[Site]:
    """A site whose table T7 is open."""
    with Nursery(folder, {"XDG_STATE_HOME": str(folder)}) as nursery:
        site = made(nursery, folder, *sources)
        ran = run(
            "ingest",
            "--data",
            folder / "pit",
            "-",
            given=encode(structs.replace(opening("T7", DAY, AT), source="office")),
        )
        assert ran.exit_code == 0, ran.output
        yield site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One gateway for all tests of a module; each brings facts of its own."""
    with opened(tmp_path_factory.mktemp("site")) as one:
        one.start()
        yield one
        one.end()


@cache
def document() -> dict[str, Any]:
    """The published document."""
    found: dict[str, Any] = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))
    return found


def judge(said: Answered) -> None:
    """An answer is one that the document has, in its form."""
    answers = document()["paths"]["/v1/facts"]["post"]["responses"]
    if said.status in (404, 405):
        return
    promised = answers[str(said.status)]
    schema = {**promised["content"]["application/json"]["schema"], "components": document()["components"]}
    Draft202012Validator(schema).validate(said.body)
    for name in promised.get("headers", {}):
        assert int(said.headers[name]) >= 0
