"""Cover All: the highest of two to seven hands on one board, exactly.

On a board, and for a category to reach, the two-card combinations that reach it are the edges of a graph on the 47
remaining cards. Inclusion and exclusion over the k-matchings of that graph gives the deals in which none of n disjoint
hands reaches it. Cards with the same neighbors are twins. The graph is stored as its classes of twins, of which all
boards together have few different ones, and matchings are counted class by class.
"""

from collections import defaultdict
from functools import cache
from itertools import product
from math import comb, factorial, perm
from typing import Any

import numpy as np

from domain.hands import standard
from domain.odds.make import deals, fast
from domain.odds.make.boards import Dense, Pairs, dense_values, hole_values, no_pairs
from domain.odds.make.fast import Ints, compiled

LINES = (standard.FULL_HOUSE, standard.FOUR_OF_A_KIND, standard.STRAIGHT_FLUSH, standard.ROYAL_FLUSH)
MOST_HANDS = 7
SIZE_AT = 48  # a class is its size above forty-eight bits of the classes its cards have edges to

Graph = tuple[int, ...]


@compiled
def _edges(pairs: Pairs, dense: Dense, least: int) -> Ints:
    """Return for each of the 47 cards, as bits, the others with which it reaches the category."""
    neighbours = np.zeros(47, dtype=np.int64)
    number = 0
    for one in range(47):
        for two in range(one + 1, 47):
            if dense.category[pairs.values[number]] >= least:
                neighbours[one] |= 1 << two
                neighbours[two] |= 1 << one
            number += 1
    return neighbours


@compiled
def _twins(neighbours: Ints, classes: Ints) -> int:
    """Write the classes of twins, without the cards that have no edge, and return their number."""
    class_of = np.full(47, -1, dtype=np.int64)
    first = np.zeros(47, dtype=np.int64)
    size = np.zeros(47, dtype=np.int64)
    found = 0
    for card in range(47):
        if neighbours[card] == 0:
            continue
        for held in range(found):
            other = first[held]
            if neighbours[card] & ~(1 << other) == neighbours[other] & ~(1 << card):
                class_of[card] = held
        if class_of[card] < 0:
            class_of[card] = found
            first[found] = card
            found += 1
        size[class_of[card]] += 1
    for held in range(found):
        bits = 0
        for card in range(47):
            if neighbours[first[held]] >> card & 1:
                bits |= 1 << class_of[card]
        classes[held] = size[held] << SIZE_AT | bits
    return found


@compiled
def _graphs(boards: Ints, dense: Dense, leasts: Ints) -> tuple[Ints, Ints]:
    """Return the classes of twins of each board for each category to reach, and their number."""
    classes = np.zeros((len(boards), len(leasts), 47), dtype=np.int64)
    sizes = np.zeros((len(boards), len(leasts)), dtype=np.int64)
    pairs = no_pairs()
    for number in range(len(boards)):
        hole_values(boards[number], dense, pairs)
        for place in range(len(leasts)):
            neighbours = _edges(pairs, dense, leasts[place])
            sizes[number, place] = _twins(neighbours, classes[number, place])
    return classes, sizes


def _in_order(classes: list[int]) -> Graph:
    """Return the classes renumbered, those with few neighbors first, so that equal graphs look equal."""
    order = sorted(range(len(classes)), key=lambda number: (_degree(classes, number), classes[number] >> SIZE_AT))
    place = {number: new for new, number in enumerate(order)}
    renumbered = []
    for number in order:
        bits = sum(1 << place[other] for other in place if classes[number] >> other & 1)
        renumbered.append(classes[number] >> SIZE_AT << SIZE_AT | bits)
    return tuple(renumbered)


def _degree(classes: list[int], number: int) -> int:
    return (classes[number] & ((1 << SIZE_AT) - 1)).bit_count()


@cache
def matchings(graph: Graph) -> tuple[int, ...]:
    """Return how many sets of 0, 1, ... 7 disjoint edges the graph of these classes has.

    Classes are used up in turn: some cards of a class are paired within it, some with cards of later classes, some not
    at all. Only the remaining sizes of the later classes need to be remembered.
    """
    states: dict[tuple[int, ...], list[int]] = {
        tuple(held >> SIZE_AT for held in graph): [1] + [0] * MOST_HANDS,
    }
    for number, held in enumerate(graph):
        later: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0] * (MOST_HANDS + 1))
        neighbours = [other - number - 1 for other in range(number + 1, len(graph)) if held >> other & 1]
        for (size, *rest), ways in states.items():
            for within, across, count in _pairings(
                size, bool(held >> number & 1), [rest[other] for other in neighbours]
            ):
                left = list(rest)
                for other, taken in zip(neighbours, across, strict=True):
                    left[other] -= taken
                edges = within + sum(across)
                polynomial = later[tuple(left)]
                for before in range(MOST_HANDS + 1 - edges):
                    polynomial[before + edges] += ways[before] * count
        states = later
    totals = [0] * (MOST_HANDS + 1)
    for ways in states.values():
        totals = [total + way for total, way in zip(totals, ways, strict=True)]
    return tuple(totals)


def _pairings(size: int, joined: bool, others: list[int]) -> list[tuple[int, tuple[int, ...], int]]:
    """Return ways to pair cards of one class: pairs within it, pairs with each other class, and the number of ways."""
    found = []
    ranges = [range(min(size, other, MOST_HANDS) + 1) for other in others]
    for across in product(*ranges):
        outside = sum(across)
        if outside > min(size, MOST_HANDS):
            continue
        ways = 1
        left = size
        for other, taken in zip(others, across, strict=True):
            ways *= comb(left, taken) * perm(other, taken)
            left -= taken
        for within in range(min(left // 2, MOST_HANDS - outside) + 1 if joined else 1):
            inside = comb(left, 2 * within) * factorial(2 * within) // (2**within * factorial(within))
            found.append((within, across, ways * inside))
    return found


def dealt(cards: int, hands: int) -> int:
    """Return in how many ways this many two-card hands are dealt, one after another."""
    ways = 1
    for hand in range(hands):
        ways *= comb(cards - 2 * hand, 2)
    return ways


def none_reaches(graph: Graph, hands: int) -> int:
    """Return in how many deals none of the hands is an edge of the graph."""
    found = matchings(graph)
    return sum(
        (-1) ** chosen * perm(hands, chosen) * found[chosen] * dealt(47 - 2 * chosen, hands - chosen)
        for chosen in range(hands + 1)
    )


def graphs() -> dict[int, dict[Graph, int]]:
    """Return the different graphs for each category to reach, with the number of boards of each."""
    boards, weights = deals.canonical(5)
    dense, leasts = dense_values(), np.array(LINES, dtype=np.int64)
    found: dict[int, dict[Graph, int]] = {least: defaultdict(int) for least in LINES}
    raw: dict[tuple[int, bytes], int] = defaultdict(int)
    for begin in range(0, len(boards), 4000):
        classes, sizes = _graphs(boards[begin : begin + 4000], dense, leasts)
        for number, weight in enumerate(weights[begin : begin + 4000].tolist()):
            for place, least in enumerate(LINES):
                raw[least, classes[number, place, : sizes[number, place]].tobytes()] += weight
    for (least, held), weight in raw.items():
        found[least][_in_order(np.frombuffer(held, dtype=np.int64).tolist())] += weight
    return found


def cover_all() -> dict[str, Any]:
    """Return deals of two to seven hands by the category of the highest; all below a full house together."""
    fast.checked()
    held = graphs()
    counts: dict[str, dict[str, int]] = {}
    for hands in range(2, MOST_HANDS + 1):
        below = {
            least: sum(weight * none_reaches(graph, hands) for graph, weight in found.items())
            for least, found in held.items()
        }
        deals_in_all = comb(52, 5) * dealt(47, hands)
        highest = dict(zip(LINES, [*(below[least] for least in LINES[1:]), deals_in_all], strict=True))
        counts[str(hands)] = {
            "lower": below[LINES[0]],
            **{standard.CATEGORIES[least]: highest[least] - below[least] for least in LINES},
        }
    return {"graphs": sum(map(len, held.values())), "counts": counts}
