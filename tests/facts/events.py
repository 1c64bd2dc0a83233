"""Facts as another system sends them: CloudEvents 1.0, written without the project's own table of attributes."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from domain.facts.codec import encode
from domain.facts.envelope import Fact

_TEXTS = {
    "source": "source",
    "source_key": "id",
    "stream": "subject",
    "previous": "previous",
    "camera": "camera",
    "time_code": "timecode",
    "source_signature": "sourcesignature",
}
_NUMBERS = ("sequence", "round")


def to_cloudevent(fact: Fact) -> dict[str, Any]:
    """The event of a fact."""
    data: dict[str, Any] = json.loads(encode(fact))
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=data.pop("at"))
    event = {"specversion": "1.0", "type": f"catwalk.{data.pop('type')}"}
    event["time"] = moment.isoformat(timespec="microseconds").replace("+00:00", "Z")
    event |= {attribute: data.pop(field) for field, attribute in _TEXTS.items() if field in data}
    event |= {field: str(data.pop(field)) for field in _NUMBERS if field in data}
    return {**event, "datacontenttype": "application/json", "data": data}
