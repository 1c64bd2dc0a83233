"""Conversion between the desk's records and the library's stored events."""

from consumers.logs.mapper import FactMapper
from domain.desk.acting import ActRecord
from domain.desk.records import decode, encode


class DeskMapper(FactMapper):
    """The mapper of the desk's application."""

    record = ActRecord
    called = "record of the desk"
    encode = staticmethod(encode)
    decode = staticmethod(decode)
