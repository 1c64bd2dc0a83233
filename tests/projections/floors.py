"""A floor told in batches, from a seed: people who come and go, devices, and rounds that are corrected afterwards."""

import random
from datetime import date
from typing import Any

from projections.changes import Changes, Dead
from tests.projections.rows import row

STREAMS = [f"T{table}/{day}" for day in ("2026-08-01", "2026-09-30", "2026-10-01", "2026-10-02") for table in (1, 2)]
PLAYERS = ("p1", "p2", "p3", "")
SEATS = (1, 2, 3)
CARDS = ("As Kd", "7c 2s", "Ah 7c")
MINUTE = 60_000_000


class Floor:
    """Tables where people come, change their seats, sit a round out, and are corrected afterwards."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - repeatable rounds
        self.played = dict.fromkeys(STREAMS, 0)
        self.position = 0

    def plays(self, stream: str) -> Changes:
        """Some rounds more, or what one of them was after all."""
        changes = Changes()
        if self.played[stream] and self.chance.random() < 0.3:
            number = self.chance.randint(1, self.played[stream])
            changes.dead.append(Dead(stream, number, self.position + 1))
            self._round(changes, stream, number, shuffled=False)
        for _ in range(self.chance.randint(0, 4)):
            self.played[stream] += 1
            self._round(changes, stream, self.played[stream], shuffled=True)
        self._day(changes, stream)
        changes.positions["facts/0"] = self._next()
        return changes

    def _next(self) -> int:
        self.position += 1
        return self.position

    def _round(self, changes: Changes, stream: str, number: int, *, shuffled: bool) -> None:
        chance, edition = self.chance, self._next()
        at = _moment(stream) + number * MINUTE
        made: dict[str, Any] = {"round": number, "edition": edition}
        deck = f"D{number % 2}"
        told: dict[str, Any] = {"dealer": chance.choice(("L1", "L2")), "deck": deck, "house": "h", "book": "PIK"}
        told |= {"began_at": at, "ended_at": at + MINUTE // 2, "last": number * 10 + 9, "hands": 3}
        told |= {"decided": 3, "undecided": chance.choice((0, 1)), "voided": False}
        changes.append("rounds", row("rounds", stream, **made, **told, dealer_hand=chance.choice(CARDS)))
        for seat in SEATS:
            if chance.random() < 0.8:
                paid = {
                    name: chance.choice((0, 500, 900, None)) for name in ("staked_cents", "back_cents", "owed_cents")
                }
                told = {"seat": seat, "player": chance.choice(PLAYERS), "cards": chance.choice(CARDS)}
                changes.append("hands", row("hands", stream, **made, **paid, **told))
                bet = {name: told[name] for name in ("seat", "player")} | {"difference_cents": chance.choice((0, 100))}
                changes.append("wagers", row("wagers", stream, **made, **paid, **bet, wager="ante"))
        if shuffled:
            device = chance.choice(("m1", "m2", ""))
            done = {"what": chance.choice(("shuffle-completed", "deck-loaded")), "device": device, "deck": deck}
            changes.append("handling", row("handling", stream, **made, **done, sequence=number * 10, at=at))

    def _day(self, changes: Changes, stream: str) -> None:
        changes.replace(stream, "tables", [row("tables", stream, book="PIK", zone="UTC")])
        changes.replace(stream, "decks", [row("decks", stream, deck=deck) for deck in ("D0", "D1")])
        counted = row("money", stream, drop_cents=self.position * 100, win_cents=self.chance.choice((500, None)))
        changes.replace(stream, "money", [counted])
        seated = [
            row("seatings", stream, number=number, seat=number, player=f"p{number}", bought_in_cents=bought)
            for number, bought in ((1, 700), (2, None), (3, self.position))
        ]
        changes.replace(stream, "seatings", seated)
        for number in range(3):
            name = f"{stream} {number}"
            about = {"round": self.chance.randint(1, 9), "seat": self.chance.choice((*SEATS, None))}
            says: dict[str, Any] = {"dealer": "L1", "state": "standing", "severity": "money", "code": "wager-overpaid"}
            told = row("findings", stream, finding=name, edition=1, at=self.position, says="Review.", **about, **says)
            changes.put("findings", (name,), told)


def _moment(stream: str) -> int:
    return (date.fromisoformat(stream.rpartition("/")[2]) - date(1970, 1, 1)).days * 1440 * MINUTE
