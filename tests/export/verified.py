"""The verifier run on a bundle, and what came of it in a word and a sentence."""

from io import BytesIO

from projections.export import verify
from tests.export.builder import PROPERTY, WITNESS, Bundle

KEY = verify.Key(PROPERTY.name, PROPERTY.public)
WITNESSED = verify.Key(WITNESS.name, WITNESS.public)
ASKED = verify.Asked([KEY], [WITNESSED])


def outcome(stored: bytes | Bundle, asked: verify.Asked = ASKED) -> str:
    """`proved`, `not vouched` or `refused`, and the sentence."""
    container = stored if isinstance(stored, bytes) else stored.tar()
    try:
        verdict = verify.verify(BytesIO(container), asked)
    except verify.AlteredError as error:
        return f"refused {error}"
    except verify.UnreadableError as error:
        return f"unreadable {error}"
    said = f"{'; '.join(verdict.proved)}. NOT PROVED: {'; '.join(verdict.not_proved)}."
    return f"{'proved' if verdict.vouched else 'not vouched'} {said}"
