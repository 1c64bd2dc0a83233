"""The sign-in service of the pages: what Streamlit's login has to be told, kept where nobody else reads it."""

import os
import secrets
from pathlib import Path
from typing import Final

import msgspec

from consumers.accounts.asker import ELSEWHERE
from consumers.private import SecretError, read_secret
from consumers.room.signing_in import SignIn
from domain.desk.roles import Role

SECRETS: Final = "room/secrets.toml"  # in the data or state folder
_COOKIE: Final = "room/cookie-secret"
_CALLBACK: Final = "/oauth2callback"  # where Streamlit takes answers


class ConfigurationError(ValueError):
    """A file nothing can be started by: what is wrong, and where."""


class Service(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign-in service that speaks OpenID Connect."""

    metadata: str  # https://id.example/.well-known/openid-configuration
    address: str  # of the pages, as a browser knows them: https://room.example
    client_id: str
    client_secret_file: str
    name_claim: str = "preferred_username"
    roles_claim: str = "roles"
    roles: dict[str, Role] = {}
    scope: str = "openid profile email"
    prompt: str = "select_account"


def how_of(hours: float, service: Service | None, origin: str = "") -> str:
    """The same as the pages are told; no secret is among it."""
    how = SignIn(hours, origin=origin)
    if service is not None:
        how = SignIn(hours, True, service.name_claim, service.roles_claim, service.roles, origin)
    return msgspec.json.encode(how).decode()


def write_secrets(service: Service, here: Path, folder: Path) -> None:
    """Writes down what Streamlit's login needs; only its owner can read it."""
    file = here / service.client_secret_file
    try:
        client_secret = read_secret(file).decode().strip()
        cookie = _kept(folder / _COOKIE)
        rows = {
            "redirect_uri": f"{service.address.rstrip('/')}{_CALLBACK}",
            "cookie_secret": cookie,
            "client_id": service.client_id,
            "client_secret": client_secret,
            "server_metadata_url": service.metadata,
        }
        asks = {"scope": service.scope, "prompt": service.prompt}
        text = "".join(f"{name} = {_text(value)}\n" for name, value in rows.items())
        more = "".join(f"{name} = {_text(value)}\n" for name, value in asks.items())
        _write(folder / SECRETS, f"[auth]\n{text}\n[auth.client_kwargs]\n{more}")
    except (OSError, SecretError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"[room.sign_in]: {error}") from error


def name_accounts(folder: Path, file: Path | None) -> None:
    """Leaves word in the folder where the room's accounts lie, where that is elsewhere; of no other file any more."""
    try:
        if file is not None:
            _write(folder / ELSEWHERE, f"{file.absolute()}\n")
        else:
            (folder / ELSEWHERE).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigurationError(f"[room], accounts: {error}") from error


def _kept(file: Path) -> str:
    """The secret that signs cookies: made once, so that a restart signs nobody out."""
    if not file.exists():
        _write(file, secrets.token_urlsafe(48))
    return read_secret(file).decode()


def _write(file: Path, text: str) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f".{file.name}.{os.getpid()}")
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
        out.write(text)
    new.replace(file)


def _text(value: str) -> str:
    """A string as TOML and JSON both write it."""
    return msgspec.json.encode(value).decode()
