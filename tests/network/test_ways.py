"""The ways in that options and `catwalk up` open, and the unsafe ones that they do not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from consumers.up.configuration import parts, read
from tests.gateway.admitted import begin, run
from tests.network.serving import certify


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A record, a certificate, and keys that cannot be used."""
    made = tmp_path_factory.mktemp("ways")
    certify(made)
    begin(made / "pit")
    (made / "other").mkdir()
    certify(made / "other")
    (made / "open.key").write_bytes((made / "pit.key").read_bytes())
    (made / "open.key").chmod(0o644)
    here = Path.cwd()
    os.chdir(made)
    yield made
    os.chdir(here)


WITH = "--certificate pit.crt --key"
UNSAFE = f"""
what                        | options                                                        | says
beyond this machine         | --https 0.0.0.0:0                                              | --https 0.0.0.0:0 is open to other machines, and facts travel only encrypted
lines without a certificate | --tls localhost:0                                              | TLS needs a certificate and its key: give both --certificate and --key
a certificate without a key | --https localhost:0 --certificate pit.crt                      | give both --certificate and --key
a key that others may read  | --https localhost:0 {WITH} open.key                            | open.key holds a secret, but other users of this machine may open it (mode 0644)
another certificate's key   | --https localhost:0 {WITH} other/pit.key                       | pit.crt and other/pit.key cannot be used for TLS: key values mismatch
no key at all               | --https localhost:0 {WITH} gone.key                            | gone.key cannot be read: No such file or directory
what is no certificate      | --https localhost:0 --certificate pit/record --key pit.key     | pit/record and pit.key cannot be used for TLS
no address                  | --https 8443 {WITH} pit.key                                    | '8443' is no address: write it like 0.0.0.0:8443
no port                     | --tls pit.example:http {WITH} pit.key                          | 'pit.example:http' is no address
another machine's address   | --https 192.0.2.1:0 {WITH} pit.key                             | cannot listen on 192.0.2.1:0
Kafka settings not there    | --inputs gone.toml                                             | --inputs: gone.toml: No such file or directory
a certificate for nothing   | {WITH} pit.key                                                 | a certificate is given and no address: add --https or --tls
"""
ROWS = [[cell.strip() for cell in row.split(" | ")] for row in UNSAFE.strip().splitlines()[1:]]


@pytest.mark.parametrize(("what", "options", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_a_way_in_that_is_not_safe_is_not_opened(folder: Path, what: str, options: str, says: str) -> None:
    """The gateway ends at once with the status of a usage error, and says what to do."""
    ran = run("gateway", "--data", folder / "pit", "--socket", "sock", *options.split())
    assert (ran.exit_code, says in ran.output) == (2, True), (what, ran.output)
    assert not Path("sock").exists()


def test_catwalk_up_opens_the_same_ways(tmp_path: Path) -> None:
    """Paths in its file are relative to the file."""
    (tmp_path / "pit.toml").write_text(
        '[record]\ndata = "pit"\n[gateway]\nsocket = "sock"\nhttps = "0.0.0.0:8443"\ntls = "0.0.0.0:8444"\n'
        'certificate = "tls/pit.crt"\nkey = "tls/pit.key"\ninputs = "inputs.toml"\n'
    )
    (gateway,) = parts(read(tmp_path / "pit.toml"), tmp_path)
    words = " ".join(gateway.command)
    assert "--https 0.0.0.0:8443 --tls 0.0.0.0:8444" in words
    assert f"--inputs {tmp_path}/inputs.toml" in words
    assert f"--certificate {tmp_path}/tls/pit.crt --key {tmp_path}/tls/pit.key" in words
