"""The pages served, and a real browser in front of them."""

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, Page, expect, sync_playwright

from consumers.up.configuration import parts, read

PATIENCE = 60_000  # milliseconds


class NoBrowserError(Exception):
    """No browser can be driven here, and why."""


def chromium() -> str:
    """The system's Chromium."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    if found is None:
        raise NoBrowserError("there is no chromium. On Debian, as root: apt-get install chromium")
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser without a window."""
    with sync_playwright() as driver:
        made = driver.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            yield made
        finally:
            made.close()


@contextmanager
def served(folder: Path, data: Path) -> Iterator[str]:
    """The pages on a record, as `catwalk up` serves them; gives their address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    file = folder / "up.toml"
    accounts = folder / "accounts.toml"
    file.write_text(
        f'[record]\ndata = "{data}"\n[room]\nport = {port}\naddress = "127.0.0.1"\naccounts = "{accounts}"\n'
    )
    [part] = parts(read(file), folder)
    with (folder / "pages.log").open("wb") as log:
        process = subprocess.Popen(part.command, env={**os.environ, **part.environment}, stdout=log, stderr=log)
        try:
            yield _answering(process, f"http://127.0.0.1:{port}", folder / "pages.log")
        finally:
            process.terminate()
            process.wait(30)


def _answering(process: "subprocess.Popen[bytes]", address: str, log: Path) -> str:
    end = time.monotonic() + PATIENCE / 1_000
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"{address}/_stcore/health", timeout=5):  # noqa: S310 - our own address
                return address
        except (URLError, OSError):
            time.sleep(0.1)
    raise NoBrowserError(f"the pages do not answer: {log.read_text()[-2000:]} {sys.executable}")


def sign_in(page: Page, address: str, user: str, password: str) -> None:
    """Somebody comes in by the page they were sent to."""
    page.set_default_timeout(PATIENCE)
    expect.set_options(timeout=PATIENCE)
    page.goto(address)
    page.get_by_role("textbox", name="Name").fill(user)
    page.get_by_role("textbox", name="Password").fill(password)
    page.get_by_test_id("stFormSubmitButton").get_by_role("button").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
