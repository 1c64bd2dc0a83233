"""The vocabulary of facts: cards, wagers, positions, roles. Any other word is refused."""

from typing import TYPE_CHECKING, Literal

from domain.games import BOOKS, WAGERS

if TYPE_CHECKING:
    Book = str
    Wager = str
else:
    Book = Literal[BOOKS]
    Wager = Literal[WAGERS]

CardText = Literal[
    "2c", "2d", "2h", "2s", "3c", "3d", "3h", "3s", "4c", "4d", "4h", "4s", "5c", "5d", "5h", "5s", "6c", "6d", "6h",
    "6s", "7c", "7d", "7h", "7s", "8c", "8d", "8h", "8s", "9c", "9d", "9h", "9s", "Tc", "Td", "Th", "Ts", "Jc", "Jd",
    "Jh", "Js", "Qc", "Qd", "Qh", "Qs", "Kc", "Kd", "Kh", "Ks", "Ac", "Ad", "Ah", "As", "??",
]  # fmt: skip

Form = Literal["chips", "plaque", "coupon", "verbal", "cash"]

# Where a card or a stack can be, besides a seat.
Place = Literal["seat", "dealer", "community", "box"]
Source = Literal["shoe", "hand", "automated-shoe", "continuous-shoe", "shuffler"]
Rack = Literal["discard-rack", "layout", "table-inventory", "shuffler", "vault", "destroyed", "deck"]
Street = Literal["preflop", "flop", "river"]

Role = Literal["dealer", "floorperson", "supervisor", "shift-manager", "surveillance", "player", "device"]
Method = Literal["manual", "device"]
Dealing = Literal["manual-shoe", "hand", "automated-shoe", "continuous-shoe"]
Device = Literal["shuffler", "shoe", "progressive", "camera", "table-reader", "chip-reader", "gateway"]
Meter = Literal["main", "mega", "major", "minor"]
