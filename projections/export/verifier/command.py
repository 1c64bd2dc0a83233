"""Says whether an export of Catwalk is what its property signed, and what of it that proves.

    python3 -I verify.py export.tar --key property.pub --witness audit.vkey

It needs Python 3.9 or later and nothing else: no network, no other file, and it writes nothing. It believes nothing
it is told: every byte of the container is laid down again, every hash, signature and proof worked out anew, and every
table that follows from the facts alone derived from them and compared. Read it from the top: texts, signatures, trees,
notes, the container, its files, keys, the statement, the question, records and their seals, the tables that follow from
them; then each check in its own part, and `verify`, which has them all in their order.

A key that came with the export proves nothing about who made it. Get the key, and this file, from somebody you know.

Exit status: 0 all is proved that can be, with a key and a witness or a checkpoint from outside; 1 something was
altered; 2 usage, or --key and --witness swapped; 3 sound in itself, but nobody from outside vouches for it (no --key;
no --witness who cosigned, and no --checkpoint of, a head that covers every leaf shown; a list of leaves on a
head none of them saw; or a gap in the record and no list of leaves to show that it is one); 4 the file cannot be read;
5 sound, but something that was given could not be used (a key whose end is known, a witness who has not cosigned, a
checkpoint nothing here is about, or a newer one without a proof); 6 proved as it was recorded, and the record itself
has faults (a seal that does not hold, a record nobody can read or that is missing).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from projections.export.verifier.keys import key_of, kind_of
from projections.export.verifier.notes import COSIGNED_NOTE, ED25519_NOTE, Key, given_head, head_of
from projections.export.verifier.trouble import AlteredError, MisgivenError, UnreadableError
from projections.export.verifier.verdict import ALTERED, UNREADABLE, USAGE, Asked
from projections.export.verifier.verification import verify

# The command.


def given(text: str) -> str:
    """What is given is the text itself, or in a file of this name."""
    try:
        with Path(text).open(encoding="utf-8") as file:
            return file.read(65536)
    except (OSError, ValueError):
        return text


def key_given(text: str, witness: bool = False) -> Key:
    """A key from outside, by itself or in a file: the property's, or a witness's."""
    try:
        found, kind = key_of(given(text)), kind_of(given(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is no key and no file with one: {error}") from error
    if kind == (ED25519_NOTE if witness else COSIGNED_NOTE):
        of, option = ("a property's key", "--key") if witness else ("a witness's key", "--witness")
        raise ValueError(f"{text!r} is {of}, that of {found.name}: give it with {option}")
    return found


def keys_given(texts: Sequence[str], witness: bool = False) -> list[Key]:
    """Keys from outside, each once."""
    return list(dict.fromkeys(key_given(text, witness) for text in texts))


def note_given(text: str) -> str:
    """A checkpoint from outside, in a file."""
    note = given(text)
    try:
        head_of(given_head(note).note)
    except ValueError as error:
        raise ValueError(f"{text!r} is no file with a checkpoint: {error}") from error
    return note


def one_checkpoint(texts: Sequence[str]) -> str:
    """The checkpoint that was given, if any. A second one would take the place of the first, which nobody would see."""
    if len(texts) > 1:
        raise ValueError("give one --checkpoint at a time, and verify once with each that you have")
    return note_given(texts[0]) if texts else ""


def shown_plainly(text: str) -> str:
    """Text that came with an export, as a terminal may be shown it: what steers one is written out."""
    plain = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    coding = getattr(sys.stdout, "encoding", None) or "ascii"
    return plain.encode(coding, "backslashreplace").decode(coding)


def own_digest() -> str:
    """The SHA-256 of this program, or nothing where its text is not to be had."""
    try:
        return sha256(Path(__file__).read_bytes()).hexdigest()
    except (OSError, NameError):
        return ""


def answer(name: str, asked: Asked, *, quiet: bool = False) -> int:
    """Verifies a file, says what came of it, and gives the exit status."""
    watched = sys.stderr.isatty()

    def tell(says: str) -> None:
        if not says.startswith("\r"):
            if not quiet:
                print(shown_plainly(f"ok  {says}"), flush=True)
        elif watched:
            print(f"\r\033[K{shown_plainly(says[1:])}\r", end="", file=sys.stderr, flush=True)

    try:
        if Path(name).exists() and not Path(name).is_file():
            raise UnreadableError(f"{name} is no file")  # a pipe nobody writes to would be waited for without an end
        with Path(name).open("rb") as file:
            verdict = verify(file, asked, tell)
    except AlteredError as error:
        print(shown_plainly(f"ALTERED: {error}"))
        return ALTERED
    except MisgivenError as error:
        print(shown_plainly(f"NOT CHECKED: {error}"), file=sys.stderr)
        return USAGE
    except (OSError, UnreadableError) as error:
        print(shown_plainly(f"UNREADABLE: {error}"), file=sys.stderr)
        return UNREADABLE
    except Exception as error:
        print(f"UNREADABLE: this verifier cannot go on, and has proved nothing: {error!r}", file=sys.stderr)
        return UNREADABLE
    for line in verdict.lines:
        print(shown_plainly(line))
    return verdict.status


def main(words: Sequence[str] | None = None) -> int:
    """The command: `verify.py FILE --key … --witness …`."""
    about = (__doc__ or "").split("\n\n")
    reader = argparse.ArgumentParser("verify.py", description=about[0], epilog=about[-1])
    reader.add_argument("file", help="the export, a .tar")
    many: dict[str, Any] = {"action": "append", "default": [], "metavar": "KEY"}
    reader.add_argument("--key", help="the property's public key, from somebody you know: a file or text", **many)
    reader.add_argument("--witness", help="a witness's public key, likewise; may be given again", **many)
    held = (
        "a checkpoint you have from elsewhere; a newer one with its proof, as catwalk checkpoint show --since writes it"
    )
    reader.add_argument("--checkpoint", help=held, **{**many, "metavar": "FILE"})
    seals = "seals and sources' signatures that are checked (all); a stream's last seal covers all before it"
    reader.add_argument("--seals", choices=("all", "last", "none"), default="all", help=seals)
    reader.add_argument("--quiet", action="store_true", help="the verdict only, and what is not proved")
    typed = reader.parse_args(words)
    try:
        keys = keys_given(typed.key)
        witnesses = keys_given(typed.witness, witness=True)
        held = one_checkpoint(typed.checkpoint)
    except ValueError as error:
        reader.error(str(error))
    return answer(typed.file, Asked(keys, witnesses, held, typed.seals, own_digest()), quiet=typed.quiet)


if __name__ == "__main__":
    sys.exit(main())
