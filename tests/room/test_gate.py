"""Checks before the pages: foreign names and pages are refused, all is closed, and the house asks nobody outside."""

import http.client
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Request, expect

from consumers.accounts.accounts import added
from tests.room.browser import PASSWORD, Served, entered, served

pytestmark = pytest.mark.xdist_group("room")

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol": "streamlit",
}
# Every connection that Python tries is written down before it is made.
LOOKED_UP = """
import os, sys
def noted(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"):
        with open(os.environ["NOTED"], "a") as file:
            print(event, arguments[1:] if event == "socket.connect" else arguments, file=file)
sys.addaudithook(noted)
with open(os.environ["NOTED"], "a") as file:
    print("watching", file=file)
"""


@pytest.fixture(scope="module")
def house(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    """The pages, and a file in which every connection stands that their process tried."""
    folder = tmp_path_factory.mktemp("gate")
    shutil.copytree(record, folder / "pit")
    added(folder / "accounts.toml", "mara", ("manager",), PASSWORD)
    (folder / "hook").mkdir()
    (folder / "hook/sitecustomize.py").write_text(LOOKED_UP)
    noted = folder / "noted"
    noted.touch()
    with served(
        folder, folder / "pit", environment={"PYTHONPATH": str(folder / "hook"), "NOTED": str(noted)}
    ) as address:
        yield Served(address, folder / "pit"), noted


@pytest.fixture(scope="module")
def far(record: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The pages as they are known behind a proxy that speaks TLS."""
    folder = tmp_path_factory.mktemp("far")
    shutil.copytree(record, folder / "pit")
    added(folder / "accounts.toml", "mara", ("manager",), PASSWORD)
    words = f'accounts = "{folder / "accounts.toml"}"\norigin = "https://room.example"\n'
    with served(folder, folder / "pit", words) as address:
        yield Served(address, folder / "pit")


def asked(room: Served, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """The answer to a client that writes these headers."""
    own = urlsplit(room.address)
    line = http.client.HTTPConnection(own.hostname or "", own.port or 0, timeout=30)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        line.request(method, path, headers={"Host": own.netloc, **named})
        answer = line.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, found, b"" if answer.status == 101 else answer.read()
    finally:
        line.close()


# Address | by which name (OWN: the room's) | from which page (-: not named) | the answer
FOREIGN = """
GET  /                    | evil.test      | -                     | 403
GET  /                    | OWN            | -                     | 200
GET  /                    | OWN            | http://evil.test      | 403
GET  /findings            | room.example   | -                     | 403
GET  /                    | localhost.evil | -                     | 403
GET  /                    | x@localhost    | -                     | 403
GET  /_stcore/health      | evil.test      | -                     | 200
GET  /_stcore/health      | evil.test      | http://evil.test      | 403
POST /sign-in/cookie      | OWN            | -                     | 403
POST /sign-in/cookie      | OWN            | http://evil.test      | 403
POST /sign-in/cookie      | OWN            | null                  | 403
WS   /_stcore/stream      | OWN            | http://OWN            | 101
WS   /_stcore/stream      | OWN            | http://evil.test      | 403
WS   /_stcore/stream      | OWN            | http://localhost:1    | 403
WS   /_stcore/stream      | OWN            | null                  | 403
WS   /_stcore/stream      | OWN            | -                     | 403
WS   /_stcore/stream      | evil.test      | http://evil.test      | 403
"""


@pytest.mark.parametrize("row", FOREIGN.strip().splitlines())
def test_a_foreign_name_or_page_is_refused(house: tuple[Served, Path], row: str) -> None:
    room, _ = house
    what, host, origin, status = (each.strip() for each in row.split("|"))
    own = urlsplit(room.address).netloc
    method, path = what.split()
    headers = {"Host": host.replace("OWN", own)} | ({} if origin == "-" else {"Origin": origin.replace("OWN", own)})
    more = UPGRADE if method == "WS" else {}
    found, _, _ = asked(room, path, "GET" if method == "WS" else method, **headers, **more)
    assert found == int(status)


def test_a_request_that_a_foreign_page_makes_without_saying_so_is_refused(house: tuple[Served, Path]) -> None:
    room, _ = house
    assert asked(room, "/media/x", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="no-cors")[0] == 403
    assert asked(room, "/floor", Sec_Fetch_Site="cross-site", Sec_Fetch_Mode="navigate")[0] == 200


SHUT = ("metrics", "script-health-check", "agent/openapi.json", "agent/interact", "agent/mcp", "upload_file/a/b")


@pytest.mark.parametrize("path", SHUT)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
def test_what_tells_of_the_process_or_takes_files_is_shut(house: tuple[Served, Path], path: str, method: str) -> None:
    room, _ = house
    status, _, said = asked(room, f"/_stcore/{path}", method, Origin=room.address)
    assert (status, said) == (404, b"Not found.\n")


@pytest.mark.parametrize("path", ["/", "/findings", "/_stcore/health", "/_stcore/host-config", "/static/none.js"])
def test_every_answer_tells_browsers_what_they_may_do_with_it(house: tuple[Served, Path], path: str) -> None:
    room, _ = house
    _, headers, said = asked(room, path)
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert (policy["default-src"], policy["frame-ancestors"], policy["base-uri"]) == ("'none'", "'none'", "'none'")
    assert "unsafe" not in policy["script-src"]
    assert policy["connect-src"].split() == ["'self'", f"ws://{urlsplit(room.address).netloc}"]
    told = ("x-frame-options", "x-content-type-options", "referrer-policy", "cross-origin-resource-policy")
    assert [headers[name] for name in told] == ["DENY", "nosniff", "same-origin", "same-origin"]
    assert not [name for name in headers if name.startswith("access-control-")]
    if path.endswith("host-config"):
        assert json.loads(said)["allowedOrigins"] == []


def test_behind_a_proxy_only_its_name_counts_and_every_cookie_is_for_https_alone(far: Served) -> None:
    assert asked(far, "/")[0] == 403
    status, headers, _ = asked(far, "/_stcore/health", Host="room.example")
    assert status == 200
    assert headers["strict-transport-security"].startswith("max-age=")
    assert all("Secure" in cookie for cookie in headers["set-cookie"].split(", ")), headers["set-cookie"]
    assert asked(far, "/", Host="room.example")[0] == 200
    for origin, expected in (("https://room.example", 101), ("http://room.example", 403)):
        assert asked(far, "/_stcore/stream", Host="room.example", Origin=origin, **UPGRADE)[0] == expected


def test_neither_the_pages_nor_their_process_ask_anybody_outside(chrome: Browser, house: tuple[Served, Path]) -> None:
    """Charts, fonts and icons come from the room itself; who asks from a foreign page makes it look nothing up."""
    room, noted = house
    found: list[str] = []

    def sent(request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(room.address).netloc:
            found.append(request.url)

    page = entered(chrome, room, "mara", "numbers?by=game", before=lambda page: page.on("request", sent))
    expect(page.get_by_test_id("stVegaLiteChart").first).to_be_visible()
    page.wait_for_timeout(1_000)
    page.close()
    assert found == []
    asked(room, "/_stcore/stream", Origin="http://192.0.2.7:8501", **UPGRADE)
    asked(room, "/_stcore/stream", Host="192.0.2.7", Origin="http://192.0.2.7", **UPGRADE)
    watching, *tried = noted.read_text().splitlines()
    assert watching == "watching"
    assert [line for line in tried if not _own(line)] == []


def _own(line: str) -> bool:
    """Whether a connection is to this machine: by its own name, or by a local socket."""
    return any(name in line for name in ("'127.0.0.1'", "'localhost'", "'::1'")) or "('/" in line
