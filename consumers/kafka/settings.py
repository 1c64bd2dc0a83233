"""The file that says which Kafka cluster holds the record, and how to prove to it who we are.

The file holds no secret. The password is in a file of its own or in an environment variable; this file names it.
"""

import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

from consumers.private import SecretError, read_secret

Profile = Literal["production", "development"]

DEVELOPMENT_BANNER: Final = (
    "DEVELOPMENT PROFILE: a cluster of one broker may lose what it acknowledged. Nothing recorded here is evidence."
)


class KafkaSettingsError(Exception):
    """A settings file that cannot be used: which file, which key, what to do."""


class Plaintext(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="protocol", tag="PLAINTEXT"):
    """No encryption and no user: a development profile on one machine."""


class ScramOverTls(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="protocol", tag="SASL_SSL"):
    """TLS to a broker whose certificate `ca_file` vouches for, and SCRAM-SHA-512 with one user's password."""

    ca_file: Path
    user: Annotated[str, Meta(min_length=1)]
    password_file: Path | None = None
    password_env: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None


class KafkaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one settings file says; paths are absolute once read."""

    profile: Profile
    bootstrap_servers: Annotated[tuple[Annotated[str, Meta(pattern=r"^[^\s:,]+:\d{1,5}$")], ...], Meta(min_length=1)]
    security: Plaintext | ScramOverTls
    # No underscore: Kafka's metrics cannot tell it from a dot.
    topic_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9.-]{1,100}$")] = "catwalk."
    partitions: Annotated[int, Meta(ge=1, le=1000)] = 12
    compression: Literal["none", "lz4", "zstd"] = "lz4"
    bootstrap_timeout_ms: Annotated[int, Meta(ge=100, le=120_000)] = 10_000
    log_file: Path | None = None
    # After so long a silence a watcher's partitions go to others; brokers refuse less than six seconds by default.
    takeover_ms: Annotated[int, Meta(ge=500, le=300_000)] = 10_000

    @property
    def banner(self) -> str | None:
        """What every screen says first, or None on the production profile."""
        return DEVELOPMENT_BANNER if self.profile == "development" else None


def read_settings(file: Path) -> KafkaSettings:
    """The settings in `file`; relative paths in it start at its folder."""
    try:
        held = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise KafkaSettingsError(
            f"{file}: {error.strerror or error}. Name a readable file with --kafka or CATWALK_KAFKA."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KafkaSettingsError(f"{file}: this is no TOML: {error}. Correct that line.") from error
    return _checked(file, _converted(file, held))


def password_of(security: ScramOverTls, environment: Mapping[str, str] = os.environ) -> str:
    """The user's password from where the settings say; it is read when a client is made and kept nowhere."""
    if security.password_file is not None:
        try:
            found = read_secret(security.password_file).decode().rstrip("\r\n")
        except SecretError as error:
            raise KafkaSettingsError(f"no password of {security.user}: {error}.") from error
        except UnicodeDecodeError as error:
            says = f"{security.password_file}: the password of {security.user} is no UTF-8 text"
            raise KafkaSettingsError(f"{says}: {error}. Write it there alone.") from error
        place = str(security.password_file)
    else:
        place = f"the environment variable {security.password_env}"
        found = environment.get(security.password_env or "", "")
    if not found:
        raise KafkaSettingsError(f"{place}: there is no password of {security.user} in it. Put it there.")
    return found


def _converted(file: Path, held: dict[str, Any]) -> KafkaSettings:
    """The table as settings, or a sentence with the key that is wrong."""
    for key in _secrets(held):
        raise KafkaSettingsError(
            f"{file}: {key}: a secret does not stand in this file. Take it out, change it at the broker, and name "
            "a file (password_file) or an environment variable (password_env) that holds it."
        )
    hook = _PathsFrom(file.absolute().parent)
    try:
        return msgspec.convert(held, KafkaSettings, strict=True, dec_hook=hook)
    except msgspec.ValidationError as error:
        raise KafkaSettingsError(f"{file}: {_plain(str(error))}") from error


def _secrets(held: Mapping[str, Any], at: str = "") -> list[str]:
    """Keys that look as if a secret stood beside them."""
    found = []
    for key, value in held.items():
        if isinstance(value, dict):
            found += _secrets(value, f"{at}{key}.")
        elif re.search("password|secret", key, re.IGNORECASE) and key not in ScramOverTls.__struct_fields__:
            found.append(f"{at}{key}")
    return found


class _PathsFrom:
    """Turns the text of a path into a path that starts at the settings file's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, kind: type, text: Any) -> Path:
        if kind is not Path or not isinstance(text, str) or not text:
            raise ValueError("Expected the path of a file")
        return self.folder / text


_AT = re.compile(r"^(?P<says>.*?)(?: - at `\$\.?(?P<key>[^`]*)`)?$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(\w+)`")
_SHAPES: Final = {
    "bootstrap_servers": "each is host:port, as kafka-1:9093",
    "topic_prefix": "it is made of letters, digits, dots and dashes",
    "security.password_env": "it is the name of an environment variable",
}
_UNKNOWN = re.compile(r"unknown field `(\w+)`")


def _plain(message: str) -> str:
    """What msgspec found wrong, as key, sentence and advice."""
    found = _AT.match(message)
    says, at = (found["says"], found["key"] or "") if found else (message, "")
    dot = "." if at else ""
    if missing := _MISSING.search(says):
        return f"{at}{dot}{missing[1]}: missing. docs/kafka.md shows a whole file; add it."
    if unknown := _UNKNOWN.search(says):
        return f"{at}{dot}{unknown[1]}: there is no such setting. Take it out, or correct its name."
    if "matching regex" in says:
        return f"{at}: {_SHAPES[at.split('[')[0]]}. Correct it."
    return f"{at or 'file'}: {says[0].lower()}{says[1:]}. Correct it."


def _checked(file: Path, settings: KafkaSettings) -> KafkaSettings:
    """What one key alone cannot say."""
    security = settings.security
    if isinstance(security, Plaintext):
        if settings.profile == "production":
            raise KafkaSettingsError(
                f'{file}: security.protocol: PLAINTEXT is for profile = "development" only: anybody on the network '
                'could read and write the record. Write protocol = "SASL_SSL".'
            )
        return settings
    if (security.password_file is None) == (security.password_env is None):
        raise KafkaSettingsError(
            f"{file}: security: name one place of the password, password_file or password_env, not "
            f"{'neither' if security.password_file is None else 'both'}."
        )
    if not security.ca_file.is_file():
        raise KafkaSettingsError(
            f"{file}: security.ca_file: there is no file {security.ca_file}. "
            "Name the PEM file of the authority that signed the brokers' certificates."
        )
    return settings
