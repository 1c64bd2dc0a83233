"""The client that leaves when all connections are taken: by account, by silence, never one awaiting an answer."""

import socket
from collections.abc import Iterator

import pytest

from consumers.gateway.clients import Client
from consumers.gateway.connections import Connection
from consumers.gateway.making_room import SILENT, leaving

NOW = 100.0
NETWORK = "N"

# Who holds a connection, and since how many seconds it is silent; a letter says what it does:
# h has begun a line, w has a line to be taken, u is not answered, c is a command at the console
ROOM = """
what                                               | held                    | newcomer | leave, in this order
the account that holds most gives way              | A9 A3 A7 B50            | B        | A9 A7 A3 B50
however short it was silent                        | A0 A0 B9                | C        | A0 A0
one that holds no more than the newcomer stays     | A9 B9                   | A        | A9
so does one that holds as many                     | A9 A8 B9 B8             | B        | B9 B8
the largest first                                  | A9 B8 B7 C6 C5 C4       | D        | C6 C5 C4 B8 B7
within an account who has just spoken stays        | A4 A6 A1                | A        | A6
nobody has been silent                             | A4 A1                   | A        | -
who waits for an answer stays                      | A9u A9w A7              | B        | A7
who has begun a line leaves last                   | A9h A6 A7               | B        | A7 A6 A9h
and not at once                                    | A2h A1                  | B        | A1
a command at the console stays                     | A9c A8                  | B        | A8
an address of the network counts as an account     | N9 N3 N6 A7             | A        | N9 N6 N3 A7
and takes no place of a local device               | N9 N3 A7 A8             | N        | N9
"""
ROWS = [[cell.strip() for cell in row.split("|")] for row in ROOM.strip().splitlines()[1:]]


class Held:
    """A connection in a state, with the other end of its socket."""

    def __init__(self, word: str) -> None:
        self.word = word
        here, self.there = socket.socketpair()
        since = NOW - float(word[1:].rstrip("hwuc"))
        self.connection = Connection(here, Client(word), since)
        if word[0] == NETWORK:
            self.connection.client.peer = "address 10.0.0.5 by TLS"
        else:
            self.connection.client.uid = ord(word[0])
        does = word.lstrip("ABCN0123456789")
        if does:
            self.there.send({"h": b"{", "w": b"x\n", "u": b"x\n", "c": b"x\n"}[does])
            self.connection.read(99)
            self.connection.note_half_line(since)
        if does in ("u", "c"):
            self.connection.give()
        if does == "c":
            self.connection.acknowledge()
            self.connection.tell(since)
            self.connection.client.greeted_at = 1

    def close(self) -> None:
        self.there.close()
        self.connection.close()


@pytest.fixture
def held() -> Iterator[list[Held]]:
    opened: list[Held] = []
    yield opened
    for one in opened:
        one.close()


@pytest.mark.parametrize(("_what", "there", "newcomer", "leave"), ROWS, ids=[row[0] for row in ROWS])
def test_the_account_that_holds_most_gives_up_its_longest_silent_connection(
    held: list[Held], _what: str, there: str, newcomer: str, leave: str
) -> None:
    held += [Held(word) for word in there.split()]
    words = {id(one.connection): one.word for one in held}
    account = "address 10.0.0.5 by TLS" if newcomer == NETWORK else f"user {ord(newcomer)}"
    found = leaving([one.connection for one in held], account, NOW)
    assert " ".join(words[id(one)] for one in found) == leave.replace("-", "")


def test_a_device_that_speaks_every_few_seconds_keeps_its_connection() -> None:
    assert SILENT <= 5
