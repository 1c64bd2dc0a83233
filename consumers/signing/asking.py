"""The room's side of the signer's socket: an order is signed there, and what comes back is as if it were done here."""

import socket
from pathlib import Path

import msgspec

from consumers.exporting.making import Made, Tell
from consumers.signing.words import Ask, Done, Forbidden, Progress, Refused, answer_of, line
from domain.desk.acting import Act, RefusedError
from domain.desk.roles import ForbiddenError, Person


class NoSignerError(Exception):
    """An export that nobody made: why, as a sentence."""


def sign(path: Path, person: Person, act: Act, order: str, tell: Tell) -> Made:
    """Have the signer make what another ordered, and wait for it."""
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(str(path))
            asked.sendall(line(Ask(order, person.name, person.roles, act.at, act.key)))
            with asked.makefile("rb") as answers:
                for told in answers:
                    answer = answer_of(told)
                    if isinstance(answer, Progress):
                        tell(answer.what, answer.done, answer.total, answer.facts)
                    elif isinstance(answer, Done):
                        return answer.made
                    elif isinstance(answer, Refused):
                        raise RefusedError(answer.code, answer.says)
                    elif isinstance(answer, Forbidden):
                        raise ForbiddenError(person, answer.right)
                    else:
                        raise NoSignerError(answer.says)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        says = "Nobody signs exports here: start the signer, a section [signer] in the file of catwalk up"
        raise NoSignerError(f"{says}. The order stays.") from error
    except (OSError, msgspec.DecodeError) as error:
        raise NoSignerError(f"The signer cannot be asked: {error}. The order stays.") from error
    raise NoSignerError("The signer ended before the export was made. The order stays: sign it again to go on.")
