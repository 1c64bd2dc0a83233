"""One person orders an export on the pages, another signs it there: the file is made, though the room holds no key."""

import os
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from consumers.room.accounts import added
from consumers.up_command import PASSWORD as DEMO_PASSWORD
from projections.reading import opened as reading
from tests.room.browser import PASSWORD, PATIENCE, free_port, sign_in
from tests.room.conftest import chrome
from tests.up.test_only import CATWALK

__all__ = ["chrome"]

pytestmark = pytest.mark.xdist_group("room")

LONG = 150.0
UP = """
[record]
data = "."
passphrase_file = "passphrase"
[simulate]
tables = 1
seed = 11
pace = 60.0
ahead = 60
keys = true
[watch]
[project]
[checkpoint]
every = "2s"
begin = "catwalk/signed"
[signer]
[room]
address = "127.0.0.1"
port = {port}
"""


@contextmanager
def started(folder: Path, *words: str) -> Iterator[None]:
    """A command with its parts, none of which finds a passphrase in its environment."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK")}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen([*CATWALK, *words], stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=bare)
        try:
            yield
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(LONG)


def a_round(data: Path, said: Path) -> str:
    """A round that is over, published and below a checkpoint."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        if (data / "read/current").exists() and (data / "trust").exists() and (data / "room/signer.sock").exists():
            with reading(data / "read") as held:
                rows = held.query("SELECT stream, round FROM rounds ORDER BY 1, 2 LIMIT 1")
            if rows:
                return f"{rows[0][0]}:{rows[0][1]}"
        time.sleep(0.3)
    raise AssertionError(said.read_text())


def as_somebody(chrome: Browser, address: str, name: str, password: str) -> Page:
    """Somebody on the page of exports, once the pages answer."""
    page = chrome.new_context(viewport={"width": 1600, "height": 1400}).new_page()
    page.set_default_timeout(PATIENCE)
    end = time.monotonic() + LONG
    while True:
        try:
            page.goto(address)
        except Exception:
            if time.monotonic() > end:
                raise
            time.sleep(0.3)
        else:
            break
    sign_in(page, f"{address}/exports", name, password)
    return page


def ordered_and_signed(chrome: Browser, address: str, password: str, hand: str) -> None:
    """Mara orders a hand; she cannot sign it herself; adam signs it."""
    mara = as_somebody(chrome, address, "mara", password)
    for field, value in (("or a hand", hand), ("For whom", "The board"), ("What for", "a dispute")):
        mara.get_by_role("textbox", name=field).fill(value)
    end = time.monotonic() + LONG
    while not mara.locator("td", has_text="waits to be signed").count():  # until a checkpoint has the whole round
        assert time.monotonic() < end, mara.get_by_role("alert").all_inner_texts()
        mara.get_by_role("button", name="Order", exact=True).click()
        mara.wait_for_timeout(2_000)
    expect(mara.get_by_text("Nothing of somebody else's waits to be signed.")).to_be_visible()
    adam = as_somebody(chrome, address, "adam", password)
    adam.get_by_role("combobox", name="Order").click()
    adam.get_by_role("option").first.click()
    adam.wait_for_timeout(2_000)  # a press before the choice has come to the room is for no order
    adam.get_by_role("button", name="Sign and make").click()
    expect(adam.get_by_text("signed by adam")).to_be_visible()
    expect(adam.get_by_text("SHA-256 of the file").last).to_be_visible()
    with adam.expect_download() as taken:
        adam.get_by_test_id("stDownloadButton").get_by_role("button").click()
    assert Path(taken.value.path()).stat().st_size > 10_000
    for page in (mara, adam):
        page.context.close()


def proved(data: Path, folder: Path) -> None:
    """The file is there, and its own verifier finds it sound; with one byte changed it does not."""
    (file,) = (data / "exports").glob("export-*.tar")
    with tarfile.open(file) as held:
        held.extractall(folder / "unpacked", filter="data")
    (verifier,) = (folder / "unpacked").glob("*/verify.py")
    listed = subprocess.run(
        [*CATWALK, "checkpoint", "key", "list", "--data", str(data)], capture_output=True, text=True, check=True
    )
    key = next(word for word in listed.stdout.split() if word.count("+") >= 2)
    words = [sys.executable, "-I", str(verifier), str(file), "--key", key]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode not in (1, 2, 4), done.stdout + done.stderr
    stored = bytearray(file.read_bytes())
    at = stored.index(b'"sequence":')
    stored[at + 11] ^= 1
    (folder / "changed.tar").write_bytes(stored)
    words[3] = str(folder / "changed.tar")
    assert subprocess.run(words, capture_output=True, check=False).returncode == 1


def no_room_has_a_key(data: Path) -> None:
    """The process of the pages, and none but it, was given neither the passphrase nor the name of its file."""
    seen = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words, told = (process / "cmdline").read_bytes(), (process / "environ").read_bytes()
        except OSError:
            continue
        if str(data).encode() in told and b"streamlit" in words:
            seen += 1
            assert b"PASSPHRASE" not in told
    assert seen == 1


def test_an_export_is_ordered_and_signed_on_the_pages_of_catwalk_up(chrome: Browser, tmp_path: Path) -> None:
    port = free_port()
    for name, role in (("mara", "manager"), ("adam", "auditor")):
        added(tmp_path / "accounts.toml", name, (role,), PASSWORD)
    (tmp_path / "passphrase").write_text("a passphrase in a file")
    (tmp_path / "up.toml").write_text(UP.format(port=port))
    with started(tmp_path, "up", str(tmp_path / "up.toml")):
        hand = a_round(tmp_path, tmp_path / "said")
        ordered_and_signed(chrome, f"http://127.0.0.1:{port}", PASSWORD, hand)
        no_room_has_a_key(tmp_path)
        proved(tmp_path, tmp_path)


def test_an_export_is_ordered_and_signed_in_the_demonstration(chrome: Browser, tmp_path: Path) -> None:
    port, data = free_port(), tmp_path / "demo"
    data.mkdir()
    words = ("--tables", "1", "--ahead", "60", "--pace", "60", "--port", str(port), "--data", str(data))
    with started(tmp_path, "demo", *words):
        hand = a_round(data, tmp_path / "said")
        ordered_and_signed(chrome, f"http://localhost:{port}", DEMO_PASSWORD, hand)
        no_room_has_a_key(data)
        proved(data, tmp_path)
