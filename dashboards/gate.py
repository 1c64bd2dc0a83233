"""The checks before every request to the pages: who may ask under which name, and the rules for browsers.

A browser names the host it asks for (Host) and the page that asks (Origin). A request from another site's page, or for
a foreign host name, is refused before any of Streamlit runs.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_SAFE: Final = frozenset({"GET", "HEAD"})
# Streamlit answers these for anyone: process metrics, an interface for programs, a place to upload files.
_SHUT: Final = ("/_stcore/metrics", "/_stcore/script-health-check", "/_stcore/agent", "/_stcore/upload_file")
_HEALTH: Final = "/_stcore/health"
_HOST_CONFIG: Final = "/_stcore/host-config"
_TOLD: Final = {  # no other page may frame ours: the usual answer names hosts that may
    "allowedOrigins": [],
    "useExternalAuthToken": False,
    "enableCustomParentMessages": False,
    "enforceDownloadInNewTab": False,
    "metricsUrl": "",
    "blockErrorDialogs": False,
    "resourceCrossOriginMode": None,
}
# Streamlit writes styles into its pages, and runs the scripts of our components from blobs.
_POLICY: Final = (
    "default-src 'none'; script-src 'self' blob: {scripts}; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; media-src 'self'; connect-src 'self' {socket}; "
    "manifest-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; "
    "object-src 'none'"
)
_ALWAYS: Final = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), usb=(), payment=(), display-capture=()",
}
_BY_TLS: Final = {"strict-transport-security": "max-age=31536000"}


class Gate:
    """Refuse foreign requests, close unused paths, and add the rules for browsers to each answer.

    `origin` is the address of the pages as a browser knows it; if empty, only this machine's own names count.
    """

    def __init__(self, app: ASGIApp, *, origin: str = "", scripts: tuple[str, ...] = ()) -> None:
        self._app = app
        self._origin = origin.rstrip("/")
        self._secure = self._origin.startswith("https://")
        self._scripts = " ".join(f"'sha256-{each}'" for each in scripts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request that is allowed."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        asked = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        web, path = scope["type"] == "http", scope["path"]
        answered = self._ruled(send, asked.get("host", ""), path) if web else send
        if refused := self._refused(asked, "WEBSOCKET" if not web else scope["method"], path):
            await self._refuse(scope, receive, answered, refused)
        elif web and path == _HOST_CONFIG:
            await JSONResponse(_TOLD, headers={"cache-control": "no-cache"})(scope, receive, answered)
        elif path.startswith(_SHUT):
            await PlainTextResponse("Not found.\n", 404)(scope, receive, answered)
        else:
            await self._app(scope, receive, answered)

    def _refused(self, asked: dict[str, str], method: str, path: str) -> str:
        """Return why a request is refused; an empty text if it may pass."""
        host, origin = asked.get("host", ""), asked.get("origin")
        if path == _HEALTH and method in _SAFE and origin is None:
            return ""  # a health check may use any name, and gets one word
        if not self._ours(host):
            return "This is not the dashboard's address. Set origin in [room] of the file for catwalk up."
        if origin is None and method not in _SAFE:
            return "This request does not come from a page of the dashboard."
        if origin is not None and not self._own(origin, host):
            return "This request comes from a page outside the dashboard."
        elsewhere = asked.get("sec-fetch-site") == "cross-site" and asked.get("sec-fetch-mode") != "navigate"
        return "This request comes from a page outside the dashboard." if elsewhere else ""

    def _ours(self, host: str) -> bool:
        if self._origin:
            return host.lower() == urlsplit(self._origin).netloc
        try:
            parts = urlsplit(f"//{host}")
            return parts.hostname in _LOCAL and parts.username is None and not parts.path
        except ValueError:
            return False

    def _own(self, origin: str, host: str) -> bool:
        return origin == self._origin if self._origin else origin == f"http://{host}"

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, why: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted, so that the answer is 403
            return
        await PlainTextResponse(f"{why}\n", 403)(scope, receive, send)

    def _ruled(self, send: Send, host: str, path: str) -> Send:
        """Return the sender that adds the rules for browsers to the answer."""
        policy = _POLICY.format(scripts=self._scripts, socket=f"{'wss' if self._secure else 'ws'}://{_named(host)}")
        ours = {**_ALWAYS, **(_BY_TLS if self._secure else {}), "content-security-policy": policy}
        if path.startswith("/media/"):
            ours["cache-control"] = "no-store"

        async def ruled(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*self._kept(message["headers"], ours), *_encoded(ours)]
            await send(message)

        return ruled

    def _kept(self, headers: list[tuple[bytes, bytes]], ours: dict[str, str]) -> list[tuple[bytes, bytes]]:
        """Return the headers of an answer without those set here; over HTTPS every cookie is for HTTPS only."""
        kept = []
        for name, value in headers:
            low = name.decode("latin-1").lower()
            if low in ours or low.startswith("access-control-"):
                continue
            bare = self._secure and low == "set-cookie" and b"secure" not in value.lower()
            kept.append((name, value + b"; Secure" if bare else value))
        return kept


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]


def _named(host: str) -> str:
    """Return a host name that may be put into a policy; an invented one is left out."""
    return host if all(each.isalnum() or each in ".-:[]" for each in host) else "localhost"
