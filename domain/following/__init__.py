"""Follow a record: order each stream's facts, recognize repeats, gaps and forks, and pass them to subscribers.

A new subscriber is one class: a `Subscriber` for a whole log, with a `Listener` for each stream.
"""

from domain.following.chain import Chain, Link, chain_of, chained, links
from domain.following.follower import Follower, Placed, Subscriber
from domain.following.stream import Listener, Stored, Stream, UnansweredError, Usual, answering, never

__all__ = [
    "Chain",
    "Follower",
    "Link",
    "Listener",
    "Placed",
    "Stored",
    "Stream",
    "Subscriber",
    "UnansweredError",
    "Usual",
    "answering",
    "chain_of",
    "chained",
    "links",
    "never",
]
