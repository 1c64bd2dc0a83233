"""The ways in over the network that are open. The servers are imported only for one that is: that takes time."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from consumers.gateway.listening import ConnectionLimits

if TYPE_CHECKING:
    from consumers.network.running import RunningNetwork


class NetworkTroubleError(Exception):
    """An address, a certificate or a key that cannot be used; the message says why and what to do."""


class NetworkOptions(msgspec.Struct, frozen=True):
    """The addresses to listen on, and the certificate to show there."""

    https: str = ""
    tls: str = ""
    certificate: Path | None = None
    key: Path | None = None


def open_network(options: NetworkOptions, limits: ConnectionLimits) -> "RunningNetwork | None":
    """Listen at these addresses; return None if there is none."""
    if not options.https and not options.tls:
        if options.certificate is not None or options.key is not None:
            raise NetworkTroubleError("a certificate is given and no address: add --https or --tls with HOST:PORT")
        return None
    found: RunningNetwork = import_module("consumers.network.running").RunningNetwork(options, limits)
    return found
