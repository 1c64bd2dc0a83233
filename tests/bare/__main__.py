"""`make bare SUITE=trixie`: what a newcomer types, on a system that has nothing yet.

It makes the system from packages (mmdebstrap, as root), clones the last commit into it, times `make demo` up to the page
that an operator sees after signing in, counts the disk that this took, and then runs `make test` there. WHAT names one of
the two, or any other command. Ubuntu's suites need KEYRING, a file with the keys of their archive.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import expect

from consumers.commands.up import PASSWORD
from tests.bare.system import SUITES, System
from tests.room.browser import browser, sign_in

ADDRESS = "http://localhost:8501"
SECONDS, MEGABYTES = 90, 700
PATIENCE_SECONDS = 900


def demo(system: System) -> bool:
    """Start the demonstration and look at its first page; returns whether both bounds were kept."""
    before, began = system.megabytes(), time.monotonic()
    runs = system.start("exec make demo")
    try:
        while not _answers():
            if runs.poll() is not None or time.monotonic() - began > PATIENCE_SECONDS:
                print(f"`make demo` showed no page at {ADDRESS}: see above what it said")
                return False
            time.sleep(0.1)
        answered = time.monotonic() - began
        with browser() as chrome:
            page = chrome.new_page()
            sign_in(page, f"{ADDRESS}/floor", "olga", PASSWORD)
            expect(page.locator(".cw-tile").first).to_be_visible()
        shown = time.monotonic() - began
        taken = system.megabytes() - before
    finally:
        runs.kill()
        runs.wait()
    print(f"make demo: sign-in page after {answered:.0f} s, the floor after {shown:.0f} s, {taken:.0f} MB", flush=True)
    return shown < SECONDS and taken < MEGABYTES


def _answers() -> bool:
    try:
        with urlopen(f"{ADDRESS}/_stcore/health", timeout=2) as answer:  # noqa: S310 - our own address
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def command(system: System, line: str) -> bool:
    """Run a command there; returns whether it succeeded."""
    began = time.monotonic()
    status = system.run(line)
    print(f"{line}: exit status {status} after {time.monotonic() - began:.0f} s", flush=True)
    return status == 0


def main() -> None:
    """Print what was measured, and end with 1 where a bound or a test failed."""
    asked = argparse.ArgumentParser(prog="python -m tests.bare")
    asked.add_argument("suite", choices=SUITES)
    asked.add_argument("what", nargs="*", default=["make demo", "make test"])
    asked.add_argument("--keyring", type=Path)
    asked.add_argument("--folder", type=Path, help="where to make the system; it stays there")
    told = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix=f"bare-{told.suite}-") as scratch:
        system = System(told.folder or Path(scratch) / "system", told.suite, told.keyring)
        print(f"{told.suite}: {system.megabytes():.0f} MB", flush=True)
        passed = [demo(system) if what == "make demo" else command(system, what) for what in told.what]
        if not told.folder:
            subprocess.run(["rm", "-rf", "--one-file-system", system.folder], check=True)
    sys.exit(not all(passed))


if __name__ == "__main__":
    main()
