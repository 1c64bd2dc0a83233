"""The pages as served: Streamlit behind our gate, with the route that gives a browser its cookie.

`streamlit run` finds and serves `app` here; dashboards/app.py is what it draws for each page.
"""

import asyncio
import re
import signal
from base64 import b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import streamlit
import uvicorn
from starlette.middleware import Middleware
from starlette.routing import Route
from streamlit.starlette import App

from consumers.room import sign_in_of
from dashboards import cookie, open_pages, session
from dashboards.gate import Gate

_GRACE_SECONDS: Final = 2  # for requests in progress when the process must end


@asynccontextmanager
async def _watching(_: App) -> AsyncIterator[dict[str, Any] | None]:
    """Watch for sessions that end while their pages are open, as long as the pages are served."""
    _end_in_time()
    watching = asyncio.create_task(open_pages.watch(lambda names: session.sessions().over(names)))
    try:
        yield None
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


def _end_in_time() -> None:
    """Limit how long the server waits for connections at its end; Streamlit has no option for it.

    A browser that connects at the moment of SIGTERM and sends nothing would otherwise keep the process alive.
    """
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if isinstance(server, uvicorn.Server):
        server.config.timeout_graceful_shutdown = _GRACE_SECONDS


def _scripts() -> tuple[str, ...]:
    """Return the hashes of the scripts in Streamlit's own page, the only ones allowed to run."""
    page = (Path(streamlit.__file__).parent / "static/index.html").read_text("utf-8")
    found = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    return tuple(b64encode(sha256(each.encode()).digest()).decode() for each in found)


app = App(
    Path(__file__).with_name("app.py"),
    routes=[Route(cookie.PATH, cookie.give, methods=["POST"])],
    middleware=[Middleware(Gate, origin=sign_in_of().origin, scripts=_scripts())],
    lifespan=_watching,
)
