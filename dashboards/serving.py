"""The pages as they are served: Streamlit behind our gate, with the route that gives a browser its cookie.

`streamlit run` finds `app` here and serves it; dashboards/app.py is what it draws for each page.
"""

import asyncio
import re
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.starlette import App

from consumers.room import sign_in_of
from dashboards import cookie, open_pages, session
from dashboards.gate import Gate


@asynccontextmanager
async def _watching(_: App) -> AsyncIterator[dict[str, Any] | None]:
    """Sessions that end while their pages are open are looked for as long as the pages are served."""
    watching = asyncio.create_task(open_pages.watch(lambda names: session.sessions().over(names)))
    try:
        yield None
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def _scripts() -> tuple[str, ...]:
    """The hashes of the scripts that Streamlit's own page holds: these run, and no other that stands in a page."""
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text("utf-8")
    found = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return tuple(b64encode(sha256(each.encode()).digest()).decode() for each in found)


app = App(
    Path(__file__).with_name("app.py"),
    routes=[Route(cookie.PATH, cookie.give, methods=["POST"])],
    middleware=[Middleware(Gate, origin=sign_in_of().origin, scripts=_scripts())],
    lifespan=_watching,
)
