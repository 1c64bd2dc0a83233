"""Choose the client that leaves when all connections are taken and another client arrives.

Otherwise a silent account with many connections could lock out everyone else. The account with the most connections
gives one up: its longest silent one, or else one with an unfinished line. An account never takes a connection from an
account with no more than itself. A connection with unanswered lines stays. An address of the network counts as an
account.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from consumers.gateway.connections import Connection

SILENT = 5.0  # seconds; within one account, a client that connected, spoke or began a line since then stays


def leaving(clients: Sequence[Connection], account: str, now: float) -> Iterator[Connection]:
    """The connections that may make room for a new one of this account, the best choice first."""
    held = Counter(client.client.account for client in clients)
    held[account] += 1
    more = sorted((user for user in held if held[user] > held[account]), key=lambda user: -held[user])
    for user in (*more, account):
        theirs = [client for client in clients if client.client.account == user and not client.client.greeted_at]
        silent = [client for client in theirs if client.silent and (user != account or now - client.spoke_at >= SILENT)]
        yield from sorted(silent, key=lambda client: client.spoke_at)
        slow = [(client.half_since, client) for client in theirs if client.half_since is not None and client.answered]
        yield from (client for since, client in sorted(slow, key=lambda one: one[0]) if now - since >= SILENT)
