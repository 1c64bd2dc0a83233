"""The ways into the gateway over the network, HTTPS and lines over TLS: they hand their clients to the one loop."""

__all__ = ["openapi", "options"]
