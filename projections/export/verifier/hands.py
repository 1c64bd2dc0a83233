"""Tables `rounds`, `hands` and `wagers`, compared with the facts."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import partial
from typing import Callable

from projections.export.verifier.clock import Clock
from projections.export.verifier.container import Export
from projections.export.verifier.days import PlayedDay
from projections.export.verifier.played import Place, Played
from projections.export.verifier.stretches import Shown
from projections.export.verifier.tables import Ahead, figure, guarded
from projections.export.verifier.trouble import AlteredError


class RoundTables:
    """Tables `rounds`, `hands` and `wagers` of every stream, compared with the facts."""

    def __init__(self, export: Export, clock: Clock) -> None:
        self.rounds, self.hands, self.wagers = (Ahead(export, name) for name in ("rounds", "hands", "wagers"))
        self._clock = clock
        self.players: dict[tuple[str, int], set[str]] = {}  # by round
        self.open_ended = 0  # rounds of streams in part without their opening or their end
        self.unnamed = 0  # hands of streams in part whose player is named by no fact shown
        self.untold = 0  # wagers without facts: the amounts owed on them follow from the rule books alone

    def compare(self, shown: Shown, day: PlayedDay) -> None:
        """Compare the rows of one stream."""
        table, _, gaming_day = shown.stream.partition("/")
        start = [shown.stream, table, gaming_day]
        for here in day.due() if shown.whole else sorted(day.rounds.values(), key=lambda each: each.number):
            key = [*start, str(here.number)]
            if not shown.whole and not here.over and not _is_next(self.rounds, key):
                continue  # a later round, or the close of the day, is not shown
            sums, players = [0, 0, 0, 0], 0
            for seat in sorted(here.seats):
                of_seat = self._seat(here, [*key, str(seat)], here.seats[seat], whole=shown.whole)
                sums = [_plus(one, other) for one, other in zip(sums, of_seat)]  # type: ignore[misc]
                players += _takes_part(here, here.seats[seat])
            if here.dealer.cards:
                cards = " ".join(here.dealer.cards)
                self.hands.take(partial(_dealers_hand, key, cards))
            self._round(here, key, day.pit, [figure(each) for each in sums], players)

    def check_spans(self, shown: Shown, day: PlayedDay, part: list[int], gap: Callable[[int, int], bool]) -> None:
        """Check that a shown round is complete from its opening to its end, except for gaps in the record itself."""
        for number_of in shown.rounds:
            here = day.rounds.get(number_of)
            if here is None:
                says = f"round {number_of} is listed as shown, but the export holds none of its facts"
                raise AlteredError(says, shown.path, stream=shown.stream)
            end = here.first if here.completed is None else here.completed
            within = part[bisect_left(part, here.first) : bisect_right(part, end)]
            for one, other in zip(within, within[1:]):
                if other > one + 1 and not gap(one + 1, other - 1):
                    says = f"record {one + 1} is left out of round {number_of}, which is shown"
                    raise AlteredError(says, shown.path, stream=shown.stream, sequence=one + 1)
            self.open_ended += not here.opens or here.completed is None

    def _seat(self, here: Played, key: list[str], place: Place, *, whole: bool) -> list[int | None]:
        """Compare a seat's wagers, then its hand, and return the sums of its wagers."""
        sums: list[int | None] = [0, 0, 0, 0]
        player, believed = guarded(place.player), not whole and not place.named
        said = self.wagers.next.cells[5] if self.wagers.next and _is_next(self.wagers, key) else None
        for name, wagered in place.wagers.items():
            amounts = here.amounts(name, wagered)
            sums = _added_up(sums, self.wagers.take(partial(_wager, key, None if believed else player, name, amounts)))
        own = set(place.wagers)
        while _is_next(self.wagers, key) and self.wagers.next and self.wagers.next.cells[6] not in own:
            own.add(self.wagers.next.cells[6])
            self.untold += 1
            sums = _added_up(sums, self.wagers.take(partial(_untold, key, None if believed else player, here.blind)))
        if place.cards or own or _is_next(self.hands, key):
            cards, void = " ".join(place.cards), "true" if int(key[4]) in here.void else "false"
            self.unnamed += believed
            totals = [figure(each) for each in sums]
            said = said if own else None

            def due(cells: list[str]) -> list[str]:
                who = (cells[5] if said is None else said) if believed else player
                return [*key, who, cards, cells[7], place.choice, void, *totals]

            cells = self.hands.take(due)
            if not whole:
                self.players.setdefault((key[0], int(key[3])), set()).add(cells[5])
        return sums

    def _round(self, here: Played, key: list[str], pit: str, sums: list[str], players: int) -> None:
        def due(cells: list[str]) -> list[str]:
            ended = "" if here.ended_at is None else self._clock.told(here.ended_at, cells[7])
            began = self._clock.told(here.at, cells[6])
            hands = [" ".join(here.community.cards), " ".join(here.dealer.cards), "true" if here.voided else "false"]
            row = [*key, str(here.first), str(here.last), began, ended, guarded(pit), here.book, cells[10]]
            row += [here.method, cells[12], guarded(here.dealer_person), str(players), *hands, cells[18], *sums[:3]]
            return [*row, cells[22], cells[23], guarded("; ".join(here.video) or here.camera)]

        self.rounds.take(due)

    def end(self) -> dict[str, int]:
        """Compare the end of the tables and return their numbers of rows."""
        for table in (self.rounds, self.hands, self.wagers):
            table.end()
        return {table.name: table.count for table in (self.rounds, self.hands, self.wagers)}


def _is_next(table: Ahead, key: list[str]) -> bool:
    return table.next is not None and table.next.cells[: len(key)] == key


def _takes_part(here: Played, place: Place) -> bool:
    return bool(place.cards) or any(here.lay(name, wagered) for name, wagered in place.wagers.items())


def _plus(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _added_up(sums: list[int | None], cells: list[str]) -> list[int | None]:
    """Add a wager to the sums: staked, handed back, owed, difference."""
    return [_plus(one, int(cell) if cell else None) for one, cell in zip(sums, (cells[7], *cells[13:16]))]


def _dealers_hand(key: list[str], cards: str, cells: list[str]) -> list[str]:
    return [*key, "0", "", cards, cells[7], "", "false", "", "", "", ""]


def _wager(key: list[str], player: str | None, name: str, amounts: list[int | None], cells: list[str]) -> list[str]:
    """The row of a wager. Amount owed and clause are taken as given; the difference follows from them."""
    back, late, owed, difference = amounts[6], amounts[1] or 0, cells[14], ""
    if back is not None and owed:
        due = int(owed) + late if int(owed) else 0
        difference = str(0 if late and not int(owed) and back <= 0 else back - due)
    player = cells[5] if player is None else player
    return [*key, player, guarded(name), *map(figure, amounts), owed, difference, *cells[16:]]


def _untold(key: list[str], player: str | None, blind: bool, cells: list[str]) -> list[str]:
    """The row of a wager without facts: one the game requires but that was not recorded, or an envy bonus."""
    envy = cells[6] == "envy"
    staked, back = "0" if envy else "", "0" if envy and not blind else ""
    difference = str(-int(cells[14])) if back and cells[14] else ""
    player = cells[5] if player is None else player
    return [*key, player, cells[6], staked, staked, "0", back, back, back, back, cells[14], difference, *cells[16:]]
