"""`catwalk verify-export`: check an export with the same program that the export includes."""

from pathlib import Path

import click

from projections.export import one_file
from projections.export.verifier.command import answer, key_given, one_checkpoint
from projections.export.verifier.notes import Key
from projections.export.verifier.verdict import Asked

_EXAMPLES = """\b
Examples:
  catwalk verify-export export.tar --key property.pub --witness audit.vkey
  catwalk verify-export export.tar --key property.pub --checkpoint last-month.note
  catwalk verify-export export.tar --key property.pub --seals last --quiet
  catwalk verify-export --program > verify.py

Use a property's key and a witness's key from people you know: a key that came with the export proves nothing about
who made it. Each is a file, or the key itself: in the form of notes (name+hash+base64), PEM, base64 or hex. With
--checkpoint, the export must continue a checkpoint that you have from elsewhere, or be bound to it. A newer
checkpoint needs a proof that it continues the export's: the property writes both with catwalk checkpoint show NEWER
--since OLDER.

One line shows the result. Below it is the question and, one per line, the things you gave that could not be used, the
faults of the record itself, and the things that are not proved. An alteration is reported with its file, line, record
and byte. verify.py in the export is the same program and needs only Python; --program writes it.
docs/auditors-walk.md is a guide.

\b
Exit status: 0 everything that can be proved is proved, with a key and a witness or a checkpoint from outside; 1
something was altered; 2 usage error, or --key and --witness swapped; 3 consistent, but nobody from outside vouches
for it (no --key; no --witness who cosigned a head that covers every leaf shown, and no --checkpoint of one; a list of
leaves that rests on a head none of them saw; or a gap in the record and no list of leaves to prove it); 4 the file
cannot be read; 5 consistent, but something you gave could not be used (a replaced key, a witness who has not
cosigned, a checkpoint that the export does not reach, or a newer one without a proof); 6 proved as it was recorded,
but the record itself has faults (an invalid seal, or an unreadable or missing record).
"""


def _keys(_: click.Context, of: click.Parameter, texts: tuple[str, ...]) -> list[Key]:
    try:
        return [key_given(text, witness=of.name == "witnesses") for text in texts]
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


def _note(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> str:
    try:
        return one_checkpoint(texts)
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
    "--witness", "witnesses", multiple=True, metavar="KEY", callback=_keys, help="A witness's key; repeat for more."
)
@click.option(
    "--checkpoint", "held", multiple=True, metavar="FILE", callback=_note, help="A checkpoint from elsewhere."
)
@click.option(
    "--seals",
    type=click.Choice(["all", "last", "none"]),
    default="all",
    show_default=True,
    help="The seals and signatures of sources to check; a stream's last seal covers all records before it.",
)
@click.option(
    "--program",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_program,
    help="Write verify.py, as in exports, and end.",
)
@click.option("--quiet", is_flag=True, help="Print only the verdict and what is not proved.")
def verify_export_command(
    *, file: Path, keys: list[Key], witnesses: list[Key], held: str, seals: str, quiet: bool
) -> None:
    """Prove an export: container, hashes, signatures, chains, tree, tables."""
    asked = Asked(keys, witnesses, held, seals, one_file.digest())
    raise SystemExit(answer(str(file), asked, quiet=quiet))
