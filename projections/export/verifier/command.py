"""Check that an export of Catwalk is what its property signed, and print what that proves.

    python3 -I verify.py export.tar --key property.pub --witness audit.vkey

It needs Python 3.9 or later and nothing else: no network, no other file. It writes no file. It trusts nothing in the
export: it rebuilds every byte of the container, computes every hash, signature and proof again, derives every table
that follows from the facts alone, and compares the results. Read it from the top: texts, signatures, trees, notes, the
container, its files, keys, the statement, the question, records and their seals, the tables that follow from them; then
each check in its own part, and `verify`, which runs them all in order.

A key that came with the export proves nothing about who made it. Get the key, and this file, from a source you trust.

Exit status: 0 everything is proved that can be, with a key and a witness or a checkpoint from outside; 1 something was
altered; 2 usage, or --key and --witness swapped; 3 sound in itself, but nobody from outside vouches for it (no --key;
no head that covers every leaf shown was cosigned by a --witness or given as a --checkpoint; a list of leaves rests on
a head that none of them saw; or the record has a gap and no list of leaves confirms it); 4 the file cannot be read;
5 sound, but something you gave could not be used (a key that was replaced, a witness who has not cosigned, a
checkpoint the export proves nothing about, or a newer one without a proof); 6 proved as it was recorded, and the
record itself has faults (an invalid seal, a record that is unreadable or missing).
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
    """Return the given text, or the contents of the file of this name."""
    try:
        with Path(text).open(encoding="utf-8") as file:
            return file.read(65536)
    except (OSError, ValueError):
        return text


def key_given(text: str, witness: bool = False) -> Key:
    """Return a key from outside, given as text or as a file: the property's or a witness's."""
    try:
        found, kind = key_of(given(text)), kind_of(given(text))
    except ValueError as error:
        raise ValueError(f"{text!r} is neither a key nor a file with one: {error}") from error
    if kind == (ED25519_NOTE if witness else COSIGNED_NOTE):
        of, option = ("a property's key", "--key") if witness else ("a witness's key", "--witness")
        raise ValueError(f"{text!r} is {of}, of {found.name}: give it with {option}")
    return found


def keys_given(texts: Sequence[str], witness: bool = False) -> list[Key]:
    """Return the keys from outside, each once."""
    return list(dict.fromkeys(key_given(text, witness) for text in texts))


def note_given(text: str) -> str:
    """Return a checkpoint from outside, read from a file."""
    note = given(text)
    try:
        head_of(given_head(note).note)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a file with a checkpoint: {error}") from error
    return note


def one_checkpoint(texts: Sequence[str]) -> str:
    """Return the given checkpoint, if any. A second one would silently replace the first, so it is an error."""
    if len(texts) > 1:
        raise ValueError("give one --checkpoint at a time, and verify once with each")
    return note_given(texts[0]) if texts else ""


def shown_plainly(text: str) -> str:
    """Return text of an export in a form safe for a terminal, with control characters written out."""
    plain = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    coding = getattr(sys.stdout, "encoding", None) or "ascii"
    return plain.encode(coding, "backslashreplace").decode(coding)


def own_digest() -> str:
    """Return the SHA-256 of this program, or an empty text if its source is unavailable."""
    try:
        return sha256(Path(__file__).read_bytes()).hexdigest()
    except (OSError, NameError):
        return ""


def answer(name: str, asked: Asked, *, quiet: bool = False) -> int:
    """Verify a file, print the result, and return the exit status."""
    watched = sys.stderr.isatty()

    def tell(says: str) -> None:
        if not says.startswith("\r"):
            if not quiet:
                print(shown_plainly(f"ok  {says}"), flush=True)
        elif watched:
            print(f"\r\033[K{shown_plainly(says[1:])}\r", end="", file=sys.stderr, flush=True)

    try:
        if Path(name).exists() and not Path(name).is_file():
            raise UnreadableError(f"{name} is not a file")  # opening a pipe without a writer would block
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
        print(f"UNREADABLE: this verifier stopped and proved nothing: {error!r}", file=sys.stderr)
        return UNREADABLE
    for line in verdict.lines:
        print(shown_plainly(line))
    return verdict.status


def main(words: Sequence[str] | None = None) -> int:
    """Run the command: `verify.py FILE --key … --witness …`."""
    about = (__doc__ or "").split("\n\n")
    reader = argparse.ArgumentParser("verify.py", description=about[0], epilog=about[-1])
    reader.add_argument("file", help="the export, a .tar")
    many: dict[str, Any] = {"action": "append", "default": [], "metavar": "KEY"}
    reader.add_argument(
        "--key", help="the property's public key, from a source you trust: a file or the key itself", **many
    )
    reader.add_argument("--witness", help="a witness's public key, from a source you trust; may be repeated", **many)
    held = "a checkpoint from elsewhere; a newer one needs its proof, as catwalk checkpoint show --since writes it"
    reader.add_argument("--checkpoint", help=held, **{**many, "metavar": "FILE"})
    seals = "which seals and source signatures to check (default: all); a stream's last seal covers all before it"
    reader.add_argument("--seals", choices=("all", "last", "none"), default="all", help=seals)
    reader.add_argument("--quiet", action="store_true", help="print only the verdict and what is not proved")
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
