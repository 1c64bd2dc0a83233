"""Every page by addresses that fill it: walked by axe in a browser, and for their times without one."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl

from consumers.desk.application import Desk
from consumers.exporting.orders import EXPORTS
from domain.desk import export
from domain.desk.acting import DeskAct
from projections.export.question import BoundCheckpoint, ExportQuestion, Scope
from projections.reading import opened as reading

_ORDERED_AT = 1_795_003_200_000_000
# Who, the address | what has to stand there again, as a selector. ITS is a finding, WHO a player, CASE a case.
_TABLE = """
mara  floor                                            | .cw-tile[data-go=T2]
mara  table?table=T2&day=2026-11-18                    | .cw-figure:has-text("win")
ivan  findings?severity=money&order=money&finding=ITS  | .cw-line[aria-current][data-go="ITS"]
ivan  findings?code=wager-overpaid                     | .cw-line
ivan  incidents?log=yes&incident=ITS                   | .cw-line[aria-current]
ivan  incidents?whose=nobody&log=yes                   | .cw-line
ivan  hand?stream=T1%2F2026-11-18&round=2&step=9       | .cw-facts li:nth-child(9) [aria-current]
ivan  hand?table=T1&day=2026-11-18&round=3             | [data-go*="round=3"]
mara  decks?table=T1&deck=T1-deck-1&basis=void         | .cw-figure:has-text("return every stake")
mara  people?who=dealers                               | [data-go*="dealer=dealer-"]
mara  people?who=players&first=2026-11-18              | [data-go*="player=p-"]
mara  people?dealer=dealer-1                           | .cw-figure:has-text("dealer-1")
mara  people?player=WHO                                | .cw-figure:has-text("WHO")
mara  numbers?by=game&period=month                     | td:has-text("2026-11")
ivan  cases?closed=yes                                 | p:has-text("No case is closed")
ivan  cases                                            | [data-go*="case=CASE"]
ivan  cases?case=CASE                                  | .cw-wide[aria-label^="Every change"]
mara  exports                                          | code:has-text("000000")
dave  record                                           | .cw-figure:has-text("open troubles")
"""


class Address(NamedTuple):
    """A user at an address, and what the page must show."""

    name: str
    path: str
    shown: str

    @property
    def page(self) -> str:
        """The page it leads to."""
        return self.path.partition("?")[0]

    @property
    def named(self) -> dict[str, str]:
        """The name on the page."""
        return dict(parse_qsl(self.path.partition("?")[2]))


def addresses() -> list[Address]:
    """All of them, with their gaps."""
    return list(_addresses())


def _addresses() -> Iterator[Address]:
    for row in _TABLE.strip().splitlines():
        asked_for, _, shown = (each.strip() for each in row.partition("|"))
        name, path = asked_for.split()
        yield Address(name, path, shown)


def gaps(data: Path, case: str) -> dict[str, str]:
    """Values for the gaps in addresses to this record."""
    with reading(data / "read") as held:
        query = "SELECT finding FROM findings WHERE code = 'wager-overpaid' AND gaming_day = '2026-11-18' ORDER BY 1"
        finding = str(held.query(query)[0][0])
        player = str(held.query("SELECT min(player) FROM player_days WHERE player <> ''")[0][0])
    return {"ITS": finding, "WHO": player, "CASE": case}


def filled(text: str, held: dict[str, str]) -> str:
    """The same without gaps."""
    for gap, value in held.items():
        text = text.replace(gap, value)
    return text


def order_exports(desk: Desk, folder: Path) -> None:
    """Order two exports; one waits for its signature, the other's file is there."""
    _order(desk, "order-1", "the day of 2026-11-18")
    _order(desk, "order-2", "round 2 of T1/2026-11-18")
    act = DeskAct("otto", _ORDERED_AT, "sign")
    desk.on_export("order-2", lambda state: export.sign(state, act, "export-2", digest="0" * 64, size=3, facts=1))
    (folder / EXPORTS).mkdir(exist_ok=True)
    (folder / EXPORTS / "export-2.tar").write_text("tar")


def _order(desk: Desk, order: str, asked: str) -> None:
    act, words = DeskAct("mara", _ORDERED_AT, f"order {order}"), {"purpose": "a dispute", "recipient": "the board"}
    bound = BoundCheckpoint("a house", 1, "", "2026-11-19T00:00:00Z")
    told = {"zone": "America/New_York", "software": "0", "books": (), "files": ()}
    question = ExportQuestion(scope=Scope(), ordered_by="mara", signed_by="", checkpoint=bound, **words, **told)
    stored = question.stored.decode()
    desk.on_export(order, lambda state: export.order(state, act, stored, asked=asked, checkpoint=1, **words))
