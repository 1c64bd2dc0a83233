"""A proxy that speaks TLS in front of the pages, as a house has one: its certificate is its own."""

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

_HEAD_BYTES = 65_536


def certificate(folder: Path, name: str) -> tuple[Path, Path]:
    """A certificate for this name and its key, in files."""
    key = ec.generate_private_key(ec.SECP256R1())
    who, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]), datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    paths[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))
    return paths


@contextmanager
def tls_proxy(folder: Path, port: int, behind: int, name: str, client: str) -> Iterator[None]:
    """Passes what comes by TLS on to a port, one request a connection, and says that `client` asks."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate(folder, name))
    with socket.create_server(("127.0.0.1", port)) as listening:

        def serve() -> None:
            while True:
                try:
                    plain, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=_carried, args=(context, plain, behind, client), daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield


def _carried(context: ssl.SSLContext, plain: socket.socket, behind: int, client: str) -> None:
    """One connection: its head with one more line, and then bytes both ways until either ends."""
    with suppress(OSError), context.wrap_socket(plain, server_side=True) as near:
        head = b""
        while b"\r\n\r\n" not in head and len(head) < _HEAD_BYTES:
            piece = near.recv(4_096)
            if not piece:
                return
            head += piece
        first, _, rest = head.partition(b"\r\n")
        close = b"" if b"upgrade: websocket" in head.lower() else b"Connection: close\r\n"
        lines = [line for line in rest.split(b"\r\n") if close == b"" or not line.lower().startswith(b"connection:")]
        with socket.create_connection(("127.0.0.1", behind)) as far:
            far.sendall(first + b"\r\nX-Forwarded-For: " + client.encode() + b"\r\n" + close + b"\r\n".join(lines))
            back = threading.Thread(target=_pumped, args=(far, near), daemon=True)
            back.start()
            _pumped(near, far)
            back.join(60)


def _pumped(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while piece := one.recv(65_536):
            other.sendall(piece)
    with suppress(OSError):
        other.shutdown(socket.SHUT_WR)
