"""The records of people's decisions about what belongs to one incident."""

from domain.desk.acting import ActRecord, Words
from domain.facts.envelope import Name


class FindingsSetApart(ActRecord, frozen=True, tag="findings-set-apart.1"):
    """The record that a person took findings out of an incident."""

    taken: tuple[Name, ...]
    left: tuple[Name, ...]
    why: Words


class FindingsJoined(ActRecord, frozen=True, tag="findings-joined.1"):
    """The record that a person joined findings into one incident."""

    findings: tuple[Name, ...]
    why: Words
