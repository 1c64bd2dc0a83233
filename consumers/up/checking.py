"""Checks of `catwalk up` before it starts anything: a part without its secret or port would fail again and again."""

import errno
import socket
from pathlib import Path

from consumers.accounts.accounts import ACCOUNTS, AccountsError
from consumers.accounts.accounts import read as read_accounts
from consumers.desk.opening import DeskPlaceError, password
from consumers.gateway.keys import PASSPHRASE, PASSPHRASE_FILE, KeyTroubleError, passphrase
from consumers.kafka.settings import KafkaSettingsError, ScramOverTls, password_of, read_settings
from consumers.private import SecretError, read_secret
from consumers.record_place import KEYS
from consumers.up.configuration import Configuration, PartProcess
from consumers.up.sign_in import ConfigurationError

_SIGNS = ("checkpoint", "signer")  # parts that need a key


def check(found: Configuration, chosen: list[PartProcess], here: Path) -> None:
    """Read every secret that these parts read; raise an error if one is missing, or open to other users."""
    folder = here / (found.record.data or found.record.state)
    sealed = any((folder / KEYS).glob("*.pem"))
    try:
        for part in chosen:
            if not part.environment.keys().isdisjoint((PASSPHRASE_FILE, PASSPHRASE)):
                passphrase(part.environment)
            elif part.name in _SIGNS or (part.name == "gateway" and sealed):
                says = f"[{part.name}] needs the passphrase of the keys"
                raise ConfigurationError(f"{says}: name its file as passphrase_file in [record]. Nothing was started")
            password(part.environment)
            if part.name == "room":
                _room(found, here, folder)
        if found.record.kafka:
            security = read_settings(here / found.record.kafka).security
            if isinstance(security, ScramOverTls):
                password_of(security)
    except (KeyTroubleError, DeskPlaceError, KafkaSettingsError, SecretError, AccountsError) as error:
        raise ConfigurationError(f"{str(error).rstrip('.')}. Nothing was started") from error


def _room(found: Configuration, here: Path, folder: Path) -> None:
    if found.room is None:
        return
    if found.room.sign_in is not None:
        read_secret(here / found.room.sign_in.client_secret_file)
    accounts = here / found.room.accounts if found.room.accounts else folder / ACCOUNTS
    if accounts.exists():
        read_accounts(accounts)
    if port_taken(found.room.address, found.room.port):
        says = f"[room]: port {found.room.port} of {found.room.address} is in use by another program"
        raise ConfigurationError(f"{says}. Give a free one as port, or end that program. Nothing was started")


def port_taken(address: str, port: int) -> bool:
    """Whether another program listens on this port of an address of this machine."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except OSError:
        return False  # an unknown name: the program that listens there says so
    return any(_in_use(family, place) for family, _, _, _, place in found)


def _in_use(family: int, place: object) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)  # type: ignore[arg-type]
    except OSError as error:
        return error.errno == errno.EADDRINUSE
    return False
