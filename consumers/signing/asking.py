"""The room's side of the signer's socket: it sends an order to sign and returns the result as if made here."""

import socket
from pathlib import Path

import msgspec

from consumers.exporting.making import MadeExport, Tell
from consumers.signing.words import Ask, ExportDone, ExportProgress, ExportRefused, Forbidden, answer_of, line
from domain.desk.acting import DeskAct, RefusedError
from domain.desk.roles import ForbiddenError, Person


class NoSignerError(Exception):
    """An export that could not be made; the message says why."""


def sign(path: Path, person: Person, act: DeskAct, order: str, tell: Tell) -> MadeExport:
    """Have the signer make and sign another person's order, and wait for it."""
    try:
        with socket.socket(socket.AF_UNIX) as asked:
            asked.connect(str(path))
            asked.sendall(line(Ask(order, person.name, person.roles, act.at, act.key)))
            with asked.makefile("rb") as answers:
                for told in answers:
                    answer = answer_of(told)
                    if isinstance(answer, ExportProgress):
                        tell(answer.what, answer.done, answer.total, answer.facts)
                    elif isinstance(answer, ExportDone):
                        return answer.made
                    elif isinstance(answer, ExportRefused):
                        raise RefusedError(answer.code, answer.says)
                    elif isinstance(answer, Forbidden):
                        raise ForbiddenError(person, answer.right)
                    else:
                        raise NoSignerError(answer.says)
    except (FileNotFoundError, ConnectionRefusedError) as error:
        says = "The signer is not running: start it with a section [signer] in the file of catwalk up"
        raise NoSignerError(f"{says}. The order remains.") from error
    except (OSError, msgspec.DecodeError) as error:
        raise NoSignerError(f"The signer cannot be reached: {error}. The order remains.") from error
    raise NoSignerError("The signer ended before the export was finished. The order remains: sign it again to resume.")
