"""What the room's pages may ask and do: the one façade between dashboards and everything else."""

from domain.desk.roles import ForbiddenError, Person, Right, Role
from domain.table.scene import FACE_DOWN, Card, Chips, Place, Scene
from domain.table.telling import name_of_wager

__all__ = [
    "FACE_DOWN",
    "Card",
    "Chips",
    "ForbiddenError",
    "Person",
    "Place",
    "Right",
    "Role",
    "Scene",
    "name_of_wager",
]
