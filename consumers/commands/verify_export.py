"""`catwalk verify-export`: an export proved, by the same program that goes with it."""

from pathlib import Path

import click

from projections.export import one_file
from projections.export.verifier.command import answer, key_given, note_given
from projections.export.verifier.notes import Key
from projections.export.verifier.verdict import Asked

_EXAMPLES = """\b
Examples:
  catwalk verify-export export.tar --key property.pub --witness audit.vkey
  catwalk verify-export export.tar --key property.pub --checkpoint last-month.note
  catwalk verify-export export.tar --key property.pub --seals last --quiet
  catwalk verify-export --program > verify.py

The key and the witness's are those you were given by somebody you know: a key that came with the export proves nothing
about who made it. Each is a file, or the key itself: as notes have it (name+hash+base64), PEM, base64 or hex. With
--checkpoint the export has to go on from a checkpoint you have from elsewhere, or be bound to it. A newer one needs the
proof that it goes on from the export's: the property writes both with catwalk checkpoint show NEWER --since OLDER.

One line says what came of it; below it stand what was asked for and, a line each, what you gave and could not be used,
what is wrong with the record itself, and what is not proved. What was altered
is named by file, line, record and byte. verify.py in the export is the same program and needs Python alone;
--program writes it. docs/auditors-walk.md shows the way.

\b
Exit status: 0 all is proved that can be, with a key and a witness or a checkpoint from outside; 1 something was
altered; 2 usage, or --key and --witness swapped; 3 sound in itself, but nobody from outside vouches for it (no --key;
no --witness who cosigned, and no --checkpoint of, a head that covers every leaf shown; a list of leaves on a head
none of them saw; or a gap in the record and no list of leaves to show that it is one); 4 the file cannot be read; 5
sound, but something that was given could not be used (a key whose end is known, a witness who has not cosigned, a
checkpoint nothing here is about, or a newer one without a proof); 6 proved as it was recorded, and the record itself
has faults (a seal that does not hold, a record nobody can read or that is missing).
"""


def _keys(_: click.Context, of: click.Parameter, texts: tuple[str, ...]) -> list[Key]:
    try:
        return [key_given(text, witness=of.name == "witnesses") for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _note(_: click.Context, __: click.Parameter, text: str) -> str:
    try:
        return note_given(text) if text else ""
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _program(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        click.echo(one_file.program(), nl=False)
        context.exit()


@click.command("verify-export", epilog=_EXAMPLES)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--key", "keys", multiple=True, metavar="KEY", callback=_keys, help="The property's public key.")
@click.option(
    "--witness", "witnesses", multiple=True, metavar="KEY", callback=_keys, help="A witness's key; may be given again."
)
@click.option("--checkpoint", "held", default="", metavar="FILE", callback=_note, help="A checkpoint from elsewhere.")
@click.option(
    "--seals",
    type=click.Choice(["all", "last", "none"]),
    default="all",
    show_default=True,
    help="Which seals and signatures of sources are checked; a stream's last seal covers all before it.",
)
@click.option(
    "--program",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_program,
    help="Write verify.py, as exports have it, and nothing else.",
)
@click.option("--quiet", is_flag=True, help="The verdict only, and what is not proved.")
def verify_export_command(
    *, file: Path, keys: list[Key], witnesses: list[Key], held: str, seals: str, quiet: bool
) -> None:
    """Prove an export: container, hashes, signatures, chains, tree, tables."""
    asked = Asked(keys, witnesses, held, seals, one_file.digest())
    raise SystemExit(answer(str(file), asked, quiet=quiet))
