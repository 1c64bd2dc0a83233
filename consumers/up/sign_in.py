"""The pages' sign-in service: the settings of Streamlit's login, in a file that only its owner can read."""

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
_CALLBACK: Final = "/oauth2callback"  # the path on which Streamlit receives answers


class ConfigurationError(ValueError):
    """A configuration file that cannot be used; the message says what is wrong and where."""


class Service(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sign-in service that speaks OpenID Connect."""

    metadata: str  # https://id.example/.well-known/openid-configuration
    address: str  # the pages' address in a browser: https://room.example
    client_id: str
    client_secret_file: str
    name_claim: str = "preferred_username"
    roles_claim: str = "roles"
    roles: dict[str, Role] = {}
    scope: str = "openid profile email"
    prompt: str = "select_account"


def how_of(hours: float, service: Service | None, origin: str = "") -> str:
    """The service's settings for the pages, without secrets."""
    how = SignIn(hours, origin=origin)
    if service is not None:
        how = SignIn(hours, True, service.name_claim, service.roles_claim, service.roles, origin)
    return msgspec.json.encode(how).decode()


def write_secrets(service: Service, here: Path, folder: Path) -> None:
    """Write the settings of Streamlit's login to a file that only its owner can read."""
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
    """Store the path of the room's accounts in the folder, or remove it if they are in the folder itself."""
    try:
        if file is not None:
            _write(folder / ELSEWHERE, f"{file.absolute()}\n")
        else:
            (folder / ELSEWHERE).unlink(missing_ok=True)
    except OSError as error:
        raise ConfigurationError(f"[room], accounts: {error}") from error


def _kept(file: Path) -> str:
    """The secret that signs cookies: stored, so that a restart does not sign people out."""
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
    """A string in the form that TOML and JSON share."""
    return msgspec.json.encode(value).decode()
