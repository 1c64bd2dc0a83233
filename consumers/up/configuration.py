"""The configuration file of `catwalk up`: one section per part; a part without a section is not started."""

import os
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from consumers.desk.opening import PASSWORD_FILE
from consumers.gateway.keys import PASSPHRASE, PASSPHRASE_FILE
from consumers.record_place import OUTBOX
from consumers.room.signing_in import SIGN_IN
from consumers.signing.words import SIGNER, SOCKET
from consumers.up.sign_in import SECRETS, ConfigurationError, Service, how_of, name_accounts, write_secrets

_NOT_FROM_HERE: Final = "-P"  # Python must not import modules from the start folder
_COMMAND: Final = (_NOT_FROM_HERE, "-c", "from consumers.command import started; started()")
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")
_EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104 - compared with an address
_FILES: Final = ("labels", "out")  # options of `catwalk simulate` that name files


class RecordPlace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The place of the record: a data folder, or a cluster's settings and a folder for the files beside it."""

    data: str = ""
    kafka: str = ""
    state: str = ""
    passphrase_file: str = ""  # the file with the passphrase of the keys


class GatewayPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part that takes facts from devices."""

    socket: str
    group: str | None = None  # this and the following: options of `catwalk gateway`
    clients: int | None = None
    half_line_seconds: float | None = None
    unread_seconds: float | None = None
    client_letters_mb: int | None = None
    all_letters_mb: int | None = None
    free_disk_mb: int | None = None
    https: str | None = None
    tls: str | None = None
    certificate: str | None = None
    key: str | None = None
    inputs: str | None = None

    def options(self, here: Path) -> tuple[str, ...]:
        """The settings as options of `catwalk gateway`; missing ones keep the command's default."""
        told = {name: getattr(self, name) for name in self.__struct_fields__ if name != "socket"}
        told |= {name: str(here / told[name]) for name in ("certificate", "key", "inputs") if told[name] is not None}
        limits = [word for name, value in told.items() if value is not None for word in _option(name, value)]
        return "--socket", str(here / self.socket), *limits


class Following(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part that needs only the record."""


class Checkpoints(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part that keeps the property's tree and signs its head."""

    every: str = "5m"
    begin: str = ""  # the property's name, if the tree may be created here


class SignerPart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The part that makes and signs the pages' exports: it holds the property's key, and the pages do not."""

    socket: str = ""


class Pages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The pages in the browser."""

    port: int = 8501
    address: str = "localhost"
    accounts: str = ""
    hours: float = 10  # the longest session
    origin: str = ""  # the pages' address in a browser: https://room.example
    proxies: tuple[str, ...] = ("127.0.0.1", "::1")  # they handle TLS and pass on the client's address
    sign_in: Service | None = None


class Database(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The PostgreSQL database of the desk, used instead of a file beside the record."""

    dbname: str
    host: str = "localhost"
    port: int = 5432
    user: str = "catwalk"
    password_file: str = ""

    def environment(self, here: Path) -> dict[str, str]:
        """The settings as environment variables of the parts that open the desk; the password stays in its file."""
        told = {name: str(getattr(self, name)) for name in ("dbname", "host", "port", "user")}
        found = {f"POSTGRES_{name.upper()}": value for name, value in told.items()}
        return found | ({PASSWORD_FILE: str(here / self.password_file)} if self.password_file else {})


class Configuration(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    record: RecordPlace
    gateway: GatewayPart | None = None
    watch: Following | None = None
    project: Following | None = None
    checkpoint: Checkpoints | None = None
    relay: Following | None = None  # publishes the desk's records to Kafka
    desk: Database | None = None
    signer: SignerPart | None = None
    room: Pages | None = None
    simulate: dict[str, Any] | None = None  # the options of `catwalk simulate`, for a demonstration


class PartProcess(msgspec.Struct, frozen=True):
    """A process: its name, its command, its environment, and the condition for its start."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str] = {}
    needs: Path | None = None
    waits: str = ""  # the message while the condition is not met
    ends: bool = False  # whether it may end by itself
    prepare: Callable[[], None] | None = None  # called before each start


def read(file: Path) -> Configuration:
    """Read the configuration from a file; its paths are relative to the file's folder."""
    try:
        rows = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"{file} is not TOML: {error}") from error
    try:
        found = msgspec.convert(rows, Configuration)
    except msgspec.ValidationError as error:
        raise ConfigurationError(f"{file}: {error}") from error
    if bool(found.record.data) == bool(found.record.kafka):
        raise ConfigurationError(f"{file}, [record]: name either a data folder, or kafka and a state folder")
    if found.record.kafka and not found.record.state:
        raise ConfigurationError(f"{file}, [record]: with kafka, name a state folder")
    if found.relay is not None and not found.record.kafka:
        raise ConfigurationError(f"{file}, [relay]: an embedded record needs no relay: remove this section")
    return found


def parts(found: Configuration, here: Path, *, apart: bool = False) -> list[PartProcess]:
    """The processes of a configuration, in their starting order.

    One process verifies facts and makes rows of them, unless `apart` asks for two.
    """
    record = found.record
    folder = here / (record.data or record.state)
    where = ("--data", str(folder)) if record.data else ("--kafka", str(here / record.kafka), "--state", str(folder))
    log = folder / "record/facts.sqlite" if record.data else None
    secret = _passphrase(record, here)
    desk = found.desk.environment(here) if found.desk is not None else {}
    made: list[PartProcess] = []
    if found.gateway is not None:
        listens = _catwalk("gateway", *found.gateway.options(here), *where)
        begun = log or folder / OUTBOX
        begins = f"waiting for {begun}: catwalk ingest creates a record with the property's opening"
        made.append(PartProcess("gateway", listens, secret, needs=begun, waits=begins))
    if found.simulate is not None:
        told = {name: str(here / value) if name in _FILES else value for name, value in found.simulate.items()}
        options = [word for name, value in told.items() for word in _option(name, value)]
        made.append(PartProcess("floor", _catwalk("simulate", *options, *where), secret, ends=True))
    both = found.watch is not None and found.project is not None and not apart
    if both:
        made.append(PartProcess("project", _catwalk("project", "--verify", *where), secret, needs=log))
    elif found.watch is not None:
        only = where if record.data else where[:2]
        opens = secret if record.data else {}  # with Kafka, only the gateway has the keys
        made.append(PartProcess("watch", _catwalk("watch", "--quiet", *only), opens, needs=log))
    if found.project is not None and not both:
        made.append(PartProcess("project", _catwalk("project", *where), needs=log))
    if found.checkpoint is not None:
        begin = ("--begin", found.checkpoint.begin) if found.checkpoint.begin else ()
        signs = _catwalk("checkpoint", "--every", found.checkpoint.every, *begin, *where)
        made.append(PartProcess("checkpoint", signs, secret | desk, needs=log))
    if found.relay is not None:
        made.append(PartProcess("relay", _catwalk("relay", *where), desk))
    socket = here / found.signer.socket if found.signer is not None and found.signer.socket else folder / SOCKET
    if found.signer is not None:
        signs = _catwalk("signer", "--socket", str(socket), *where)
        made.append(PartProcess("signer", signs, secret | desk, needs=log))
    if found.room is not None:
        made.append(_pages(found.room, record, here, folder, desk | {SIGNER: str(socket)}))
    return made


def _passphrase(record: RecordPlace, here: Path) -> dict[str, str]:
    """The variable that names the passphrase's file for a part, or the environment of `catwalk up`."""
    if record.passphrase_file:
        return {PASSPHRASE_FILE: str(here / record.passphrase_file)}
    return {name: value for name in (PASSPHRASE_FILE, PASSPHRASE) if (value := os.environ.get(name))}


def _catwalk(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *_COMMAND, *arguments)


def _option(name: str, value: Any) -> list[str]:
    flag = f"--{name.replace('_', '-')}"
    if isinstance(value, bool):
        return [flag] if value else []
    return [flag, ",".join(map(str, value)) if isinstance(value, list) else str(value)]


def _pages(room: Pages, record: RecordPlace, here: Path, folder: Path, desk: dict[str, str]) -> PartProcess:
    app = find_spec("dashboards.serving")
    if app is None or app.origin is None:
        raise ConfigurationError("[room]: the pages are not installed here. Install catwalk with its dashboard")
    origin = _origin(room)
    options = {
        "server.port": str(room.port),
        "server.address": room.address,
        "server.headless": "true",
        # Otherwise each new session checks every module on disk while all others wait.
        "server.fileWatcherType": "none",
        # Streamlit sends no requests to the outside, and accepts none from other sites' pages.
        "browser.gatherUsageStats": "false",
        "browser.serverAddress": urlsplit(origin).hostname or room.address,
        "server.showEmailPrompt": "false",
        "server.enableXsrfProtection": "true",
        "server.enableCORS": "true",
        "server.enableAgentApi": "false",
        "server.enableStaticServing": "false",
        "server.scriptHealthCheckEnabled": "false",
        "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal",
        # Otherwise a page still being drawn could finish after the one that answers a click, and undo the click.
        "runner.fastReruns": "false",
        # A garbage collection after every page run stops all other sessions: without it, p95 of 100 sessions is a
        # tenth.
        "runner.postScriptGC": "false",
    }
    flags = [f"--{name}={value}" for name, value in options.items()]
    if room.sign_in is not None:
        flags.append(f"--secrets.files={folder / SECRETS}")
    environment = {**desk, "CATWALK_STATE": str(folder), SIGN_IN: how_of(room.hours, room.sign_in, origin)}
    # Only a proxy that handles TLS may report the client's address.
    environment["FORWARDED_ALLOW_IPS"] = ",".join(room.proxies) if origin.startswith("https://") else ""
    environment |= {"CATWALK_DATA": str(folder)} if record.data else {"CATWALK_KAFKA": str(here / record.kafka)}
    if room.accounts:
        environment["CATWALK_ACCOUNTS"] = str(here / room.accounts)
    command = (sys.executable, _NOT_FROM_HERE, "-m", "streamlit", "run", app.origin, *flags)
    prepare = partial(_prepare, room, here, folder)
    return PartProcess("room", command, environment, needs=folder / "read/current", prepare=prepare)


def _origin(room: Pages) -> str:
    """The pages' address in a browser; empty if only this machine reaches them."""
    said = room.origin or (room.sign_in.address if room.sign_in is not None else "")
    if said:
        parts = urlsplit(said)
        if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/") or parts.query:
            raise ConfigurationError(f"[room], origin: {said!r} is not an address such as https://room.example")
        return f"{parts.scheme}://{parts.netloc.lower()}"
    if room.address in _LOCAL:
        return ""
    if room.address in _EVERYWHERE:
        says = "set origin to the pages' address in a browser, such as https://room.example"
        raise ConfigurationError(f"[room]: the pages listen on {room.address}: {says}")
    name = f"[{room.address}]" if ":" in room.address else room.address
    return f"http://{name}:{room.port}"


def _prepare(room: Pages, here: Path, folder: Path) -> None:
    """Record the place of the room's accounts for commands, and write the settings of a sign-in service."""
    name_accounts(folder, here / room.accounts if room.accounts else None)
    if room.sign_in is not None:
        write_secrets(room.sign_in, here, folder)
