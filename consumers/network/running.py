"""Run the ways in over the network beside the gateway's loop: one thread for all of them."""

import asyncio
import errno
import os
import signal
import ssl
from threading import Event, Thread
from typing import Any

from consumers.gateway.arrivals import Arrivals
from consumers.gateway.listening import ConnectionLimits
from consumers.network.batches import Batches
from consumers.network.https import FactsByHttps
from consumers.network.listeners import BoundedListener, address, certified, is_local, listen
from consumers.network.options import NetworkOptions, NetworkTroubleError
from consumers.network.tls_lines import LinesOverTls

_ENDING_SECONDS = 4.0
_STARTING_SECONDS = 30.0


class RunningNetwork:
    """The ways in that were asked for. They listen from the start, and serve from `start` on."""

    def __init__(self, options: NetworkOptions, limits: ConnectionLimits) -> None:
        self.arrivals = Arrivals()
        self._limits = limits
        self._certified = _certified(options)
        self._https = _listen(options.https, limits)
        self._tls = _listen(options.tls, limits)
        if self._https is not None and self._certified is None and not is_local(self._https):
            says = f"--https {options.https} is open to other machines, and facts travel only encrypted"
            raise NetworkTroubleError(f"{says}: add --certificate and --key, or listen on localhost")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._serving = Event()
        self._thread = Thread(target=self._run, name="network", daemon=True)

    @property
    def says(self) -> list[str]:
        """The addresses it listens on, in words."""
        plain = "" if self._certified is not None else ", without TLS and for this machine only"
        ways = ((self._https, f"HTTPS{plain}" if not plain else f"HTTP{plain}"), (self._tls, "lines over TLS"))
        return [f"listening on {_place(listener)} for {way}" for listener, way in ways if listener is not None]

    def start(self) -> None:
        """Begin to serve."""
        self._thread.start()
        self._serving.wait(_STARTING_SECONDS)

    def stop(self) -> None:
        """Accept no more clients."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)

    def close(self) -> None:
        """Wait until each client has its last answer, for a few seconds at most."""
        self.arrivals.close()
        self._thread.join(_ENDING_SECONDS)

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException:
            os.kill(os.getpid(), signal.SIGTERM)  # without its ways in, the gateway would only seem to run
            raise

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(_heard_of)
        ends = []
        if self._tls is not None and self._certified is not None:
            lines = LinesOverTls(self._tls, self._certified, self.arrivals, self._limits.unread_seconds)
            await lines.start()
            ends.append(lines)
        https = None
        if self._https is not None:
            batches = Batches(self.arrivals, self._limits.clients)
            https = FactsByHttps(self._https, self._certified, batches, self._limits.half_line_seconds)
        serving = asyncio.create_task(https.serve()) if https is not None else None
        self._serving.set()
        await self._stopping.wait()
        for each in ends:
            each.stop()
        if https is not None and serving is not None:
            https.stop()
            await serving
        for each in ends:
            await each.drain()


def _heard_of(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report what went wrong in a connection; that there is no room for one more is no trouble."""
    error = context.get("exception")
    if not (isinstance(error, OSError) and error.errno == errno.EMFILE):
        loop.default_exception_handler(context)


def _certified(options: NetworkOptions) -> ssl.SSLContext | None:
    if options.certificate is not None and options.key is not None:
        return certified(options.certificate, options.key)
    if options.tls or options.certificate is not None or options.key is not None:
        raise NetworkTroubleError("TLS needs a certificate and its key: give both --certificate and --key")
    return None


def _listen(text: str, limits: ConnectionLimits) -> BoundedListener | None:
    return listen(address(text), limits.clients) if text else None


def _place(listener: BoundedListener) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
