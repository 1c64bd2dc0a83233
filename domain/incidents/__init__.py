"""Incidents: findings with one root cause, as one thing for people to work on."""

from domain.incidents.decisions import Decision, Joined, KeptApart
from domain.incidents.grouping import groups
from domain.incidents.incident import FoundIncident, Span, incidents, valued
from domain.incidents.item import Item
from domain.incidents.scale import DEFAULT, TEXT, BadScaleError, HumanScale, load
from domain.incidents.scored import IncidentScore, score_incidents

__all__ = [
    "DEFAULT",
    "TEXT",
    "BadScaleError",
    "Decision",
    "FoundIncident",
    "HumanScale",
    "IncidentScore",
    "Item",
    "Joined",
    "KeptApart",
    "Span",
    "groups",
    "incidents",
    "load",
    "score_incidents",
    "valued",
]
