"""Lines over TLS: the protocol of the local socket for devices on other machines, spoken with OpenSSL's own client."""

import json
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.network.serving import Site, opened, site

__all__ = ["site"]


class Device:
    """A device that speaks through `openssl s_client`."""

    def __init__(self, site: Site, *words: str) -> None:
        command = ["openssl", "s_client", "-connect", f"localhost:{site.tls}", "-CAfile", site.folder / "pit.crt"]
        quiet = ["-verify_return_error", "-quiet", "-no_ign_eof", *words]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([*command, *quiet], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)

    def says(self, *lines: object) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write((line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n")
        self.process.stdin.flush()

    def hears(self) -> dict[str, object]:
        assert self.process.stdout is not None
        found: dict[str, object] = json.loads(self.process.stdout.readline())
        return found

    def hears_until(self, count: int) -> None:
        while (said := self.hears())["taken"] != count:
            assert said.keys() == {"taken"}, said


@contextmanager
def device(site: Site, *words: str) -> Iterator[Device]:
    one = Device(site, *words)
    try:
        yield one
    finally:
        one.process.kill()
        one.process.communicate()


def test_a_device_shows_its_secret_and_its_lines_are_counted_once_they_are_durable(site: Site) -> None:
    facts = [site.fact() for _ in range(50)]
    with device(site) as one:
        one.says({"source": "office", "secret": site.secret()}, *facts, b"", facts[0])
        one.hears_until(53)
    found = [fact["source_key"] for fact in site.record()]
    assert [key for key in found if key in {fact["source_key"] for fact in facts}] == [f["source_key"] for f in facts]


def test_what_is_refused_to_a_source_is_a_dead_letter(site: Site) -> None:
    with device(site) as one:
        one.says({"source": "office", "secret": site.secret()}, site.fact(stream="T9"))
        one.hears_until(2)
    (letter,) = [each for each in site.letters() if each["came_from"].startswith("address 127.0.0.1 by TLS")]
    assert letter["reason"] == "day not open"


STRANGERS = """
what                         | line                                            | rule             | says
no fact at all               | hello                                           | source-unproved  | no source was proved here, and this is not a fact
a fact of a registered source | FACT                                           | source-unproved  | this client has not proved that it is 'office': send its secret first
a fact of nobody             | FACT of nobody                                  | source-unknown   | the source 'nobody' is not registered
a wrong secret               | {"source":"office","secret":"guessed"}          | secret-wrong     | this is not the secret of 'office'
the word of a command        | {"secret":"guessed","role":"registrar"}         | secret-wrong     | this is not the secret of any source
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in STRANGERS.strip().splitlines()[1:]]


@pytest.mark.parametrize(("what", "line", "rule", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_who_has_proved_nothing_leaves_nothing_behind(site: Site, what: str, line: str, rule: str, says: str) -> None:
    """The gateway does not take the line, says why, disconnects the client, and counts the refusal on record."""
    letters, facts = len(site.letters()), len(site.record())
    fact = json.dumps(site.fact(source="nobody") if "nobody" in line else site.fact())
    with device(site) as one:
        one.says((fact if line.startswith("FACT") else line).encode(), site.fact())
        told = one.hears()
        if "taken" in told:
            told = one.hears()
    assert told["rule"] == rule, what
    assert says in str(told["closed"])
    assert (len(site.letters()), len(site.record())) == (letters, facts)


def test_the_refusals_of_strangers_are_on_record_once_a_minute(site: Site) -> None:
    """A flood of them is counted."""
    for _ in range(5):
        with device(site) as one:
            one.says({"source": "shoe", "secret": "guessed"})
            assert one.hears()["rule"] == "secret-wrong"
    refused = [
        fact for fact in site.everything() if fact["type"] == "input-refused.1" and fact.get("claimed") == "shoe"
    ]
    assert [(fact["rule"], fact["client"]) for fact in refused] == [("secret-wrong", "address 127.0.0.1 by TLS")]


def test_a_source_that_signs_needs_no_secret(site: Site) -> None:
    """The signature is made by OpenSSL from the words that the page describes."""
    key = site.folder / "device.pem"
    if not key.exists():
        site.register_signing("signer", key)
    fact = site.fact(source="signer")
    words = b"catwalk line\n" + json.dumps(fact, sort_keys=True, separators=(",", ":")).encode()
    (site.folder / "words").write_bytes(words)
    command = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", site.folder / "words"]
    signature = subprocess.run(command, check=True, capture_output=True).stdout.hex()
    with device(site) as one:
        one.says(fact | {"source_signature": signature})
        one.hears_until(1)
    said = site.send(fact | {"source_signature": signature}, fact | {"source_key": "forged"}, secret="")
    assert (said.status, said.words) == (401, "1:repeat")
    assert said.body["code"] == "signature-missing"


def test_old_tls_and_plain_text_are_turned_away(site: Site) -> None:
    """Clients need TLS 1.2."""
    plain = socket.create_connection(("localhost", site.tls))
    plain.settimeout(15)
    plain.sendall(json.dumps({"source": "office", "secret": site.secret()}).encode() + b"\n")
    assert b"taken" not in plain.recv(999)
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with pytest.raises((ssl.SSLError, ConnectionError)), socket.create_connection(("localhost", site.tls)) as one:
        old.wrap_socket(one)


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Site]:
    """A gateway for one test."""
    with opened(tmp_path) as one:
        yield one


def test_a_device_that_does_not_end_its_line_is_told_why(own: Site) -> None:
    own.start("--half-line-seconds", 0.5)
    with device(own) as one:
        one.says({"source": "office", "secret": own.secret()})
        assert one.hears() == {"taken": 1}
        assert one.process.stdin is not None
        one.process.stdin.write(b'{"type":')
        one.process.stdin.flush()
        said = one.hears()
        assert (said if "closed" in said else one.hears()) == {"closed": "the line did not end within 0.5 seconds"}
    own.end()
