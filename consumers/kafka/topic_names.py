"""The names of the topics of the record, and of each source's inputs."""

import re
from typing import Final, Literal

from consumers.kafka.settings import KafkaSettings

Kind = Literal["facts", "findings", "cases", "access", "checkpoints", "dead-letters"]

ALL: Final[tuple[Kind, ...]] = ("facts", "findings", "cases", "access", "checkpoints", "dead-letters")
LETTERS: Final[Kind] = "dead-letters"
_SOURCE: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?")


class BadSourceError(ValueError):
    """A name that no source can have."""


def name_of(settings: KafkaSettings, kind: Kind) -> str:
    """The topic's name in the cluster."""
    return f"{settings.topic_prefix}{kind}"


def inputs_of(settings: KafkaSettings, source: str) -> str:
    """The topic that only this source writes to."""
    check_source(source)
    return f"{settings.topic_prefix}inputs.{source}"


def check_source(name: str) -> None:
    """Raise an error for an invalid source name: with a dot, one source's topic could begin with another's."""
    if not _SOURCE.fullmatch(name):
        raise BadSourceError(f"{name!r} is not a source's name: use letters, digits and dashes, 64 at most")
