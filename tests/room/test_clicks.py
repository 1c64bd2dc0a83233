"""A click that comes just when a page has been drawn to its end is taken, however unluckily the threads fall."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from consumers.accounts.accounts import added
from tests.room.browser import PASSWORD, Served, entered, served

pytestmark = pytest.mark.xdist_group("room")

# The end of each run waits for the next one to have taken its click in, and that one waits for this end: what happens
# by chance where a processor is short, each time.
UNLUCKY = """
import importlib.abc
import importlib.util
import sys
from threading import Event

taken, ended = Event(), Event()


def unlucky(module):
    of, at_end, at_begin = module.ScriptRunner, module.ScriptRunner._on_script_finished, module.SafeSessionState.on_script_will_rerun

    def ends(self, *given):
        ended.clear()
        taken.clear()
        taken.wait(0.5)
        at_end(self, *given)
        ended.set()

    def begins(self, *given, **named):
        at_begin(self, *given, **named)
        taken.set()
        ended.wait(0.5)

    of._on_script_finished = ends
    module.SafeSessionState.on_script_will_rerun = begins


class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name != "streamlit.runtime.scriptrunner.script_runner":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        load = spec.loader.exec_module
        spec.loader.exec_module = lambda module: (load(module), unlucky(module))
        return spec


sys.meta_path.insert(0, Finder())
"""


@pytest.fixture(scope="module")
def unlucky(pages: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The same record, served by threads that always fall unluckily."""
    folder = tmp_path_factory.mktemp("unlucky")
    (folder / "sitecustomize.py").write_text(UNLUCKY)
    added(folder / "accounts.toml", "mara", ("manager",), PASSWORD)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", str(folder))
        with served(folder, pages.data) as address:
            yield Served(address, pages.data)


def test_a_form_sent_while_its_page_ends_is_answered(chrome: Browser, unlucky: Served) -> None:
    page = entered(chrome, unlucky, "mara", "hand?table=T1&day=2026-11-18")
    for number in ("1", "2", "3"):
        page.get_by_role("textbox", name="Round").fill(number)
        page.get_by_role("button", name="Find", exact=True).click()
        expect(page.locator(f'[data-go$="round={number}"]').first).to_be_visible()
        page.wait_for_timeout(200)  # the page is whole, and its run waits to be over
    page.close()
