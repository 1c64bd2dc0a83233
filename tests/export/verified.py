"""The verifier run on a bundle, and what came of it in a word and a sentence."""

from io import BytesIO
from pathlib import Path

import pytest

from consumers.exporting import proving
from projections.export import one_file
from projections.export.question import Scope
from tests.export.builder import PROPERTY, WITNESS, Bundle
from tests.export.delivered import verify
from tests.export.pits import Pit, asked, exported

KEY = verify.Key(PROPERTY.name, PROPERTY.public)
WITNESSED = verify.Key(WITNESS.name, WITNESS.public)
ASKED = verify.Asked([KEY], [WITNESSED], program=one_file.digest())


STATUS = {0: "proved", 3: "sound in itself", 5: "not used", 6: "faulty"}


def outcome(stored: bytes | Bundle, asked: verify.Asked = ASKED) -> str:
    """The exit status in a word or two, and the sentences."""
    container = stored if isinstance(stored, bytes) else stored.tar()
    try:
        verdict = verify.verify(BytesIO(container), asked)
    except verify.AlteredError as error:
        return f"refused {error}"
    except verify.UnreadableError as error:
        return f"unreadable {error}"
    said = f"{'; '.join(verdict.proved)}. NOT USED: {'; '.join(verdict.not_used)}. "
    said += f"FAULTS: {'; '.join(verdict.faults)}. NOT PROVED: {'; '.join(verdict.not_proved)}."
    return f"{STATUS[verdict.status]} {said}"


def of_a_record(pit: Pit, file: Path, scope: Scope) -> str:
    """The same of an export that the writer makes of a record; an insider's would not look at it before it goes out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(proving, "check", lambda *_: None)
        exported(pit, scope, file)
    with asked(pit, scope) as (_, _, keeper):
        key = verify.Key(keeper.key.name, keeper.key.public)
    return outcome(file.read_bytes(), verify.Asked([key]))
