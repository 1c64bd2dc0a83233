"""The addresses that the gateway listens on, and the certificate that it shows there."""

import errno
import socket
import ssl
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import msgspec

from consumers.network.options import NetworkTroubleError
from consumers.private import SecretError, read_secret

_SPARE = 16  # connections beyond those served: their clients are about to be disconnected
_PORTS = 65536


class Address(msgspec.Struct, frozen=True):
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def address(text: str) -> Address:
    """Return the address in a text such as `0.0.0.0:8443`, `[::1]:8443` or `pit.example:8443`."""
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") if host.startswith("[") else host
    if not colon or not host or not port.isdecimal() or not port.isascii() or int(port) >= _PORTS:
        raise NetworkTroubleError(f"{text!r} is no address: write it like 0.0.0.0:8443, with a host and a port")
    return Address(host, int(port))


class BoundedListener(socket.socket):
    """A listening socket that accepts no more connections than it may.

    The rest wait in the system's queue. Otherwise a client that opens many connections would use up the files that this
    process may open, and with them those of the gateway's own.
    """

    most = 0
    _accepted: list[socket.socket]

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; without room, raise the error on which asyncio waits for a second."""
        self._accepted = [each for each in self._accepted if each.fileno() >= 0]
        if len(self._accepted) >= self.most:
            raise OSError(errno.EMFILE, "as many connections as the gateway serves")
        connection, peer = super().accept()
        self._accepted.append(connection)
        return connection, peer


def listen(at: Address, most: int) -> BoundedListener:
    """Listen at an address, for at most this many clients at once."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            at.host, at.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        found = BoundedListener(family, kind)
    except OSError as error:
        raise NetworkTroubleError(f"cannot listen on {at}: {error.strerror or error}. Name another address") from error
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(place)
        found.listen(most + _SPARE)
    except OSError as error:
        found.close()
        raise NetworkTroubleError(f"cannot listen on {at}: {error.strerror or error}. Name another address") from error
    found.setblocking(False)
    found.most, found._accepted = most + _SPARE, []
    return found


def is_local(listener: socket.socket) -> bool:
    """Whether only this machine can reach it."""
    return ip_address(str(listener.getsockname()[0]).partition("%")[0]).is_loopback


def certified(certificate: Path, key: Path) -> ssl.SSLContext:
    """Return what TLS needs: the certificate with its chain, and its key, in a file that only the gateway may read."""
    try:
        read_secret(key)
    except SecretError as error:
        raise NetworkTroubleError(str(error)) from error
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        found.load_cert_chain(certificate, key, password=lambda: b"")
    except (OSError, ValueError) as error:
        says = f"{certificate} and {key} cannot be used for TLS: {_why(error)}"
        raise NetworkTroubleError(f"{says}. Both are PEM files; the key has no passphrase") from error
    return found


def _why(error: OSError | ValueError) -> str:
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.lower().replace("_", " ")
    return error.strerror if isinstance(error, OSError) and error.strerror else str(error)


def name_of(peer: Any, way: str) -> str:
    """Return the origin of a client, as letters and refusals name it."""
    host = str(peer[0]) if isinstance(peer, tuple | list) and peer else "unknown"
    return f"address {host.lower()} by {way}"
