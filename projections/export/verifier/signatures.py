"""Signatures: Ed25519 as in RFC 8032, and stricter.

A number, a point or a key that has a second encoding is refused. So is a key of small order, under which one
signature fits many texts. Points are (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z. The multiples of each key are
computed once, so that a signature costs additions only.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha512
from typing import Callable

Holds = Callable[[bytes, bytes, bytes], bool]  # key, signature, words: True if the signature holds
Point = tuple[int, int, int, int]
Ready = tuple[int, int, int]  # y - x, y + x, 2dxy
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
ZERO: Point = (0, 1, 1, 0)


def _sum(one: Point, other: Point) -> Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * D * one[3] * other[3] % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _point(coded: bytes) -> Point | None:
    """Return the point that 32 bytes encode; None if they encode none or are a second encoding."""
    y = int.from_bytes(coded, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P != u:
        x = x * ROOT_OF_MINUS_ONE % P
    if v * x * x % P != u or (x == 0 and odd):
        return None
    x = P - x if x & 1 != odd else x
    return x, y, 1, x * y % P


def _coded(point: Point) -> bytes:
    inverse = pow(point[2], P - 2, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def _multiples(point: Point) -> list[list[Ready]]:
    """Return, for each of 64 base-16 digits, the sixteen multiples of a point that it may stand for."""
    points = []
    for _ in range(64):
        row = [ZERO]
        for _ in range(15):
            row.append(_sum(row[-1], point))
        points += row
        point = _sum(row[-1], point)
    products = [1]
    for each in points:
        products.append(products[-1] * each[2] % P)
    inverse, ready = pow(products[-1], P - 2, P), []
    for each, product in zip(reversed(points), reversed(products[:-1])):
        x, y = each[0] * inverse * product % P, each[1] * inverse * product % P
        ready.append((y - x, y + x, 2 * D * x * y % P))
        inverse = inverse * each[2] % P
    ready.reverse()
    return [ready[at : at + 16] for at in range(0, len(ready), 16)]


def _added(rows: list[list[Ready]], number: int, total: Point) -> Point:
    """Return the sum of a point and a multiple of another, whose table of multiples is given."""
    x, y, z, t = total
    for row in rows:
        less, more, both = row[number & 15]
        a, b, c, d = (y - x) * less % P, (y + x) * more % P, t * both % P, z + z
        e, f, g, h = b - a, d - c, d + c, b + a
        x, y, z, t = e * f % P, g * h % P, f * g % P, e * h % P
        number >>= 4
    return x, y, z, t


BASE = _multiples(_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little")) or ZERO)


@lru_cache(maxsize=64)
def _key(public: bytes) -> list[list[Ready]] | None:
    """Return the multiples of the negative of a key; None if these bytes are not a trustworthy key."""
    point = _point(public) if len(public) == 32 else None
    if point is None:
        return None
    rows = _multiples((P - point[0], point[1], point[2], P - point[3]))
    return None if _small(point) else rows


def signed_by(public: bytes, signature: bytes, words: bytes) -> bool:
    """Return whether this is the key's signature of these words: SB - kA equals R, byte for byte."""
    rows = _key(public)
    number = int.from_bytes(signature[32:], "little")
    if rows is None or len(signature) != 64 or number >= ORDER:
        return False
    mixed = int.from_bytes(sha512(signature[:32] + public + words).digest(), "little") % ORDER
    total = _added(rows, mixed, _added(BASE, number, ZERO))
    return not _small(total) and _coded(total) == signature[:32]


def _small(point: Point) -> bool:
    """Return whether eight times a point is zero."""
    for _ in range(3):
        point = _sum(point, point)
    return point[0] == 0 and point[1] == point[2]
