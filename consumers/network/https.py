"""Facts by HTTPS: batches with a result for each fact, sent once all of them are durable."""

import asyncio
import ssl
from time import time
from typing import Any, Final

import h11
import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from consumers.network import openapi
from consumers.network.batches import RETRY_SECONDS, Batches, BatchResult
from consumers.network.bodies import MOST_BYTES, RequestRefusedError, read, require_type
from consumers.network.listeners import BoundedListener, name_of
from domain.ledger.admission import BEFORE_PROOF

ALL_BYTES: Final = 32 << 20  # of all requests together
_HOUR = 3600
_LATER = "5"
_BEARER = 'Bearer realm="catwalk"'
_WORDS = {404: "no such address", 405: "this address does not take this method"}


class FactsByHttps:
    """The server, for one listening socket; without a certificate it speaks HTTP, for this machine only."""

    def __init__(
        self, listener: BoundedListener, certified: ssl.SSLContext | None, batches: Batches, read_seconds: float
    ) -> None:
        self._listener = listener
        self._batches = batches
        self._read_seconds = read_seconds
        self._held = 0  # bytes of all requests
        routes = [
            Route(openapi.FACTS, self._take, methods=["POST"]),
            Route(openapi.DOCUMENT, self._document, methods=["GET"]),
        ]
        trouble: dict[Any, Any] = {HTTPException: _unknown, RequestRefusedError: _refused, Exception: _failed}
        app = Starlette(routes=routes, exception_handlers=trouble)
        app.router.redirect_slashes = False
        config = uvicorn.Config(
            app,
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=3,
        )
        config.load()
        config.ssl = certified
        self._server = uvicorn.Server(config)

    async def serve(self) -> None:
        """Serve until `stop`; then answer the requests that are here."""
        looks = asyncio.create_task(self._look())
        await self._server.serve(sockets=[self._listener])
        looks.cancel()

    def stop(self) -> None:
        """Accept no more requests."""
        self._server.should_exit = True

    async def _look(self) -> None:
        """Disconnect clients that take too long to begin a request: they keep others out."""
        since: dict[Any, float] = {}
        while True:
            await asyncio.sleep(1)
            now = asyncio.get_running_loop().time()
            idle = {
                each
                for each in self._server.server_state.connections
                if isinstance(each, H11Protocol) and each.conn.their_state is h11.IDLE
            }
            since = {each: since.get(each, now) for each in idle}
            for each, began in since.items():
                if now - began > self._read_seconds:
                    each.transport.abort()

    async def _take(self, request: Request) -> Response:
        headers = request.scope["headers"]
        secret = _secret(headers)
        require_type(headers)
        held = 0
        try:
            body = bytearray()
            async with asyncio.timeout(self._read_seconds):
                async for piece in _pieces(request):
                    if self._held + len(piece) > ALL_BYTES:
                        says = "the gateway holds as many unfinished batches as it may: send this one again"
                        raise RequestRefusedError(429, "too-many-batches", says, Retry_After=RETRY_SECONDS)
                    body += piece
                    held += len(piece)
                    self._held += len(piece)
            lines = read(headers, bytes(body))
            del body
            peer = name_of(request.scope["client"], "HTTPS")
            return _answered(await self._batches.take(lines, peer, secret))
        except TimeoutError as error:
            says = f"the request did not end within {self._read_seconds:g} seconds"
            raise RequestRefusedError(408, "request-too-slow", says, Connection="close") from error
        except ClientDisconnect:
            return Response(status_code=400)  # nobody hears it
        finally:
            self._held -= held

    async def _document(self, _: Request) -> Response:
        return _json(200, openapi.document())


async def _pieces(request: Request) -> Any:
    """Yield the body piece by piece, and refuse it as soon as it is too long."""
    said = request.headers.get("content-length", "")
    length = int(said) if said.isascii() and said.isdecimal() else 0
    if length <= MOST_BYTES:
        length = 0
        async for piece in request.stream():
            length += len(piece)
            if length > MOST_BYTES:
                break
            yield piece
    if length > MOST_BYTES:
        says = f"the body is longer than {MOST_BYTES:,} bytes: send smaller batches"
        raise RequestRefusedError(413, "batch-too-large", says, Connection="close")


def _secret(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the secret that the request shows; empty if it shows none, because its lines are signed."""
    given = [value.decode("latin-1") for name, value in headers if name == b"authorization"]
    if not given:
        return ""
    scheme, _, secret = given[0].strip().partition(" ")
    if len(given) > 1 or scheme.lower() != "bearer" or not secret.strip():
        says = "write the secret of the source as Authorization: Bearer SECRET"
        raise RequestRefusedError(401, "secret-wrong", says, WWW_Authenticate=_BEARER)
    return secret.strip()


def _answered(result: BatchResult) -> Response:
    """Return the answer to a batch. The status says whether something has to be done."""
    counts = dict.fromkeys(("taken", "repeat", "refused"), 0)
    for answer in result.answers:
        counts[answer.answer] += 1
    told: dict[str, Any] = {**counts, "facts": result.answers}
    if not result.closed:
        return _json(422 if counts["refused"] else 200, told)
    told |= {"code": result.rule or "gateway-ending", "says": result.closed}
    if result.rule in BEFORE_PROOF:
        return _json(401, told, {"WWW-Authenticate": _BEARER})
    if result.rule == "letters-full":
        return _json(429, told, {"Retry-After": str(_HOUR - int(time()) % _HOUR)})
    return _json(503, told, {"Retry-After": _LATER})


def _json(status: int, told: Any, headers: dict[str, str] | None = None) -> Response:
    more = {"Cache-Control": "no-store", **(headers or {})}
    return Response(msgspec.json.encode(told), status, more, "application/json")


async def _refused(_: Request, error: RequestRefusedError) -> Response:
    return _json(error.status, {"code": error.code, "says": error.says}, error.headers)


async def _unknown(_: Request, error: HTTPException) -> Response:
    says = f"{_WORDS.get(error.status_code, error.detail)}: facts go to {openapi.FACTS} by POST"
    return _json(error.status_code, {"code": "address-unknown", "says": says}, dict(error.headers or {}))


async def _failed(_: Request, __: Exception) -> Response:
    says = "something went wrong in the gateway: send this batch again, and report it to its operator"
    return _json(500, {"code": "gateway-failed", "says": says})
