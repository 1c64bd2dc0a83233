"""An authority and a server certificate for brokers on this machine. For tests only: the keys are not protected."""

import datetime
import ipaddress
from pathlib import Path
from typing import Final

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

_LIFE: Final = datetime.timedelta(days=30)


class Certificates(msgspec.Struct, frozen=True):
    """PEM files: the authority that clients trust, and a server's key, certificate and authority in this order."""

    authority: Path
    server: Path


def make_certificates(folder: Path, *, start: datetime.datetime, name: str = "localhost") -> Certificates:
    """Write both files for a broker at `name`, localhost or 127.0.0.1, valid for a month from `start`."""
    authority_key = ec.generate_private_key(ec.SECP256R1())
    server_key = ec.generate_private_key(ec.SECP256R1())
    issuer = _name("Catwalk test authority")
    authority = (
        _builder(issuer, issuer, authority_key.public_key(), start)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(authority_key, hashes.SHA256())
    )
    names = [x509.DNSName(name), x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    server = (
        _builder(_name(name), issuer, server_key.public_key(), start)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        # A broker is also a client of the other brokers.
        .add_extension(
            x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]), critical=False
        )
        .sign(authority_key, hashes.SHA256())
    )
    key = server_key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    folder.mkdir(parents=True, exist_ok=True)
    made = Certificates(authority=folder / "authority.pem", server=folder / "server.pem")
    made.authority.write_bytes(_pem(authority))
    made.server.touch(mode=0o600)
    made.server.write_bytes(key + _pem(server) + _pem(authority))
    return made


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, start: datetime.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start - datetime.timedelta(hours=1))
        .not_valid_after(start + _LIFE)
    )


def _pem(certificate: x509.Certificate) -> bytes:
    return certificate.public_bytes(serialization.Encoding.PEM)
