"""The settings file of the Kafka cluster that holds the record, and of the connection to it.

The file holds no secret. It names the file or the environment variable that has the password.
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
    "DEVELOPMENT PROFILE: a cluster of one broker may lose acknowledged records. Nothing recorded here is evidence."
)


class KafkaSettingsError(Exception):
    """A settings file that cannot be used; the message names the file, the key and what to do."""


class KafkaUnreachableError(Exception):
    """No broker answered, or none accepted the connection."""


class Plaintext(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="protocol", tag="PLAINTEXT"):
    """No encryption and no user: a development profile on one machine."""


class ScramOverTls(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="protocol", tag="SASL_SSL"):
    """TLS to a broker with a certificate signed by `ca_file`, and SCRAM-SHA-512 with one user's password."""

    ca_file: Path
    user: Annotated[str, Meta(min_length=1)]
    password_file: Path | None = None
    password_env: Annotated[str, Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None


class KafkaSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a settings file, with absolute paths."""

    profile: Profile
    bootstrap_servers: Annotated[tuple[Annotated[str, Meta(pattern=r"^[^\s:,]+:\d{1,5}$")], ...], Meta(min_length=1)]
    security: Plaintext | ScramOverTls
    # No underscore: Kafka's metrics cannot distinguish it from a dot.
    topic_prefix: Annotated[str, Meta(pattern=r"^[A-Za-z0-9.-]{1,100}$")] = "catwalk."
    partitions: Annotated[int, Meta(ge=1, le=1000)] = 12
    compression: Literal["none", "lz4", "zstd"] = "lz4"
    bootstrap_timeout_ms: Annotated[int, Meta(ge=100, le=120_000)] = 10_000
    log_file: Path | None = None
    # After this much silence, a watcher's partitions go to others; brokers refuse less than six seconds by default.
    takeover_ms: Annotated[int, Meta(ge=500, le=300_000)] = 10_000

    @property
    def banner(self) -> str | None:
        """The warning at the top of every screen, or None on the production profile."""
        return DEVELOPMENT_BANNER if self.profile == "development" else None


def read_settings(file: Path) -> KafkaSettings:
    """Read the settings from `file`; relative paths in it start at its folder."""
    try:
        held = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise KafkaSettingsError(
            f"{file}: {error.strerror or error}. Name a readable file with --kafka or CATWALK_KAFKA."
        ) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KafkaSettingsError(f"{file}: this is not TOML: {error}. Correct that line.") from error
    return _checked(file, _converted(file, held))


def password_of(security: ScramOverTls, environment: Mapping[str, str] = os.environ) -> str:
    """Read the user's password from the place that the settings name; it is read for each client and never stored."""
    if security.password_file is not None:
        try:
            found = read_secret(security.password_file).decode().rstrip("\r\n")
        except SecretError as error:
            raise KafkaSettingsError(f"no password for {security.user}: {error}.") from error
        except UnicodeDecodeError as error:
            says = f"{security.password_file}: the password of {security.user} is not UTF-8 text"
            raise KafkaSettingsError(f"{says}: {error}. The file must hold only the password.") from error
        place = str(security.password_file)
    else:
        place = f"the environment variable {security.password_env}"
        found = environment.get(security.password_env or "", "")
    if not found:
        raise KafkaSettingsError(f"{place}: the password of {security.user} is missing. Set it there.")
    return found


def _converted(file: Path, held: dict[str, Any]) -> KafkaSettings:
    """The table as settings, or an error that names the wrong key."""
    for key in _secrets(held):
        raise KafkaSettingsError(
            f"{file}: {key}: this file must not hold a secret. Remove it, change it at the broker, and name "
            "a file (password_file) or an environment variable (password_env) that holds it."
        )
    hook = _PathsFrom(file.absolute().parent)
    try:
        return msgspec.convert(held, KafkaSettings, strict=True, dec_hook=hook)
    except msgspec.ValidationError as error:
        raise KafkaSettingsError(f"{file}: {_plain(str(error))}") from error


def _secrets(held: Mapping[str, Any], at: str = "") -> list[str]:
    """The keys that seem to hold a secret."""
    found = []
    for key, value in held.items():
        if isinstance(value, dict):
            found += _secrets(value, f"{at}{key}.")
        elif re.search("password|secret", key, re.IGNORECASE) and key not in ScramOverTls.__struct_fields__:
            found.append(f"{at}{key}")
    return found


class _PathsFrom:
    """A conversion of texts into paths relative to the settings file's folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, kind: type, text: Any) -> Path:
        if kind is not Path or not isinstance(text, str) or not text:
            raise ValueError("Expected the path of a file")
        return self.folder / text


_AT = re.compile(r"^(?P<says>.*?)(?: - at `\$\.?(?P<key>[^`]*)`)?$", re.DOTALL)
_MISSING = re.compile(r"missing required field `(\w+)`")
_SHAPES: Final = {
    "bootstrap_servers": "each is host:port, such as kafka-1:9093",
    "topic_prefix": "it is made of letters, digits, dots and dashes",
    "security.password_env": "it is the name of an environment variable",
}
_UNKNOWN = re.compile(r"unknown field `(\w+)`")


def _plain(message: str) -> str:
    """An error of msgspec as key, sentence and advice."""
    found = _AT.match(message)
    says, at = (found["says"], found["key"] or "") if found else (message, "")
    dot = "." if at else ""
    if missing := _MISSING.search(says):
        return f"{at}{dot}{missing[1]}: missing. Add it; docs/kafka.md shows a complete file."
    if unknown := _UNKNOWN.search(says):
        return f"{at}{dot}{unknown[1]}: there is no such setting. Remove it, or correct its name."
    if "matching regex" in says:
        return f"{at}: {_SHAPES[at.split('[')[0]]}. Correct it."
    return f"{at or 'file'}: {says[0].lower()}{says[1:]}. Correct it."


def _checked(file: Path, settings: KafkaSettings) -> KafkaSettings:
    """Check what depends on more than one key."""
    security = settings.security
    if isinstance(security, Plaintext):
        if settings.profile == "production":
            raise KafkaSettingsError(
                f'{file}: security.protocol: PLAINTEXT is for profile = "development" only: everyone on the network '
                'could read and write the record. Write protocol = "SASL_SSL".'
            )
        return settings
    if (security.password_file is None) == (security.password_env is None):
        raise KafkaSettingsError(
            f"{file}: security: name one place for the password, password_file or password_env, not "
            f"{'neither' if security.password_file is None else 'both'}."
        )
    if not security.ca_file.is_file():
        raise KafkaSettingsError(
            f"{file}: security.ca_file: the file {security.ca_file} does not exist. "
            "Name the PEM file of the authority that signed the brokers' certificates."
        )
    return settings
