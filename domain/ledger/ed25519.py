"""Ed25519: which 32 bytes are a valid key and which 64 may be a signature, checked before the equation.

OpenSSL accepts some that `verify.py` refuses: points of small order, under which one signature fits many texts, and
points in a second encoding. One rule applies wherever a signature is checked, so that all parts of Catwalk agree.
"""

from typing import Final

P: Final = 2**255 - 19
ORDER: Final = 2**252 + 27742317777372353535851937790883648493
_D: Final = -121665 * pow(121666, P - 2, P) % P
_WITHOUT_SIGN: Final = 2**255 - 1
_EIGHTH: Final = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826  # the y of a point of order 8
_SMALL: Final = frozenset({0, 1, P - 1, _EIGHTH, P - _EIGHTH})  # the y of each point of order 1, 2, 4 and 8


def is_key(public: bytes) -> bool:
    """Return whether these bytes are a sound public key: on the curve, not of small order, in canonical form."""
    if len(public) != 32 or not _sound(public):
        return False
    square = (int.from_bytes(public, "little") & _WITHOUT_SIGN) ** 2
    return pow((square - 1) * (_D * square + 1), (P - 1) // 2, P) == 1


def may_be_signature(public: bytes, signature: bytes) -> bool:
    """Return whether a signature and its key are in canonical form, and neither point is of small order.

    This code is hot: it runs once per signature and takes half a microsecond, beside eighty for the equation.
    """
    return (
        len(public) == 32
        and len(signature) == 64
        and _sound(public)
        and _sound(signature[:32])
        and int.from_bytes(signature[32:], "little") < ORDER
    )


def _sound(coded: bytes) -> bool:
    y = int.from_bytes(coded, "little") & _WITHOUT_SIGN
    return y < P and y not in _SMALL
