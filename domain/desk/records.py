"""The stored form of the desk's records: one flat JSON object for each, chained like facts."""

from domain.desk import access, case_records, export_records, regrouping_records, review
from domain.desk.acting import ActRecord
from domain.facts.codec import Codec

RECORDS: dict[str, type[ActRecord]] = {
    str(kind.__struct_config__.tag): kind
    for module in (review, case_records, access, export_records, regrouping_records)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, ActRecord) and kind is not ActRecord
}
_CODEC = Codec(RECORDS.values())
decode = _CODEC.decode
encode = _CODEC.encode
as_written = _CODEC.as_written
