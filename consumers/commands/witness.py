"""`catwalk witness`: a second party that sees the heads of a property's tree, and signs what goes on."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from time import time
from typing import Any

import click
import msgspec

from consumers.commands.checkpoint import TrustError, trust_trouble
from consumers.gateway.keys import verify
from consumers.logs.log import Log
from consumers.record_place import Place, place_options
from consumers.trust.keeper import open_keeper
from consumers.trust.published import key_notes, newest_shown, published_log, shown_since
from consumers.trust.running import publish_now
from consumers.trust.tree_file import TREE_FILE
from consumers.trust.witness import NotWitnessedError, Witness, begin, open_witness
from domain.ledger.checkpoint import BadNoteError, Key, parsed_checkpoint, parsed_key, parsed_note
from domain.ledger.witnessing import BY_SIGNATURES, Refused, Shown, found_again, parsed_shown

_EXAMPLES = """\b
Examples:
  catwalk witness make audit.riverside --folder audit
  catwalk witness see --data pit --key catwalk/riverside+7b0cf17d+AQ... --folder audit
  catwalk witness see for-the-witness.txt --folder audit --out back.txt
  catwalk witness list --folder audit
  catwalk witness prove audit/refused-catwalk-riverside-1.json

The witness is internal audit, or the regulator: somebody else than who keeps the record, on a machine of their own.
Its folder holds its key, sealed by the passphrase of the keys, and the last head it saw of each property.
"""
_MAKE = """\b
Examples:
  catwalk witness make audit.riverside --folder audit
"""
_SEE = """\b
Examples:
  catwalk witness see for-the-witness.txt --key catwalk/riverside+7b0cf17d+AQ... --folder audit --out back.txt
  catwalk witness see --data pit --folder audit

FILE is what catwalk checkpoint show --since SIZE wrote, SIZE being what catwalk witness list tells; the note with the
witness's signature goes to --out, for catwalk checkpoint cosigned. Without FILE the record itself is looked at, every
head since the last one seen, and the signature is given back there if the tree is at hand. The property's key is
given once, from elsewhere than where the heads come from.

\b
Exit status: 0 signed; 1 refused, and both heads are kept in a file that proves it; 2 usage, or what is no head of
this property at all: that proves nothing.
"""
_LIST = """\b
Examples:
  catwalk witness list --folder audit
"""
_PROVE = """\b
Examples:
  catwalk witness prove refused-catwalk-riverside-1.json --key catwalk/riverside+7b0cf17d+AQ...

Looks at a refusal again, without the witness and without the property: two heads with the property's signature, and
the path that was shown. Without --key the keys in the file are believed, and that proves nothing about who signed.

\b
Exit status: 0 the two heads contradict each other; 1 they do not, or only as long as nobody shows a path; 2 usage, or
a file that is no refusal; 3 they do, and no key was given from elsewhere.
"""
_FOLDER = click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    envvar="CATWALK_WITNESS",
    required=True,
    metavar="DIR",
    help="The witness's own folder; or CATWALK_WITNESS.",
)


@click.group("witness", epilog=_EXAMPLES)
def witness_command() -> None:
    """See the heads of a property's tree, and sign what goes on from the last one seen."""


@witness_command.command("make", epilog=_MAKE)
@click.argument("name")
@_FOLDER
def make_command(*, name: str, folder: Path) -> None:
    """Make the key of a witness called NAME and print it: hand it to whoever is to check."""
    with trust_trouble():
        click.echo(begin(folder, name).text)


@witness_command.command("see", epilog=_SEE)
@click.argument("file", type=click.File("r", "utf-8"), required=False)
@click.option("--key", metavar="KEY", help="The property's key, for the first head of it, or to insist on it.")
@click.option(
    "--keys", type=click.File("r", "utf-8"), metavar="FILE", help="What catwalk checkpoint key list --notes wrote."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Into a file.")
@_FOLDER
@place_options
def see_command(
    *,
    file: Any,
    key: str | None,
    keys: Any,
    out: Path | None,
    folder: Path,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Look at a head, and sign it if it goes on from the last one seen."""
    if file is None and data is None and kafka is None:
        raise click.UsageError("give a FILE to look at, or the record by --data or --kafka.")
    with trust_trouble(), open_witness(folder) as witness:
        trusted = parsed_key(key) if key else None
        try:
            if file is not None:
                notes = _notes(keys.read()) if keys is not None else []
                note = witness.sees([parsed_shown(file.read())], int(time()), trusted=trusted, rotations=notes)
            else:
                note = _of_record(witness, Place(data, kafka, state), trusted)
        except NotWitnessedError as error:
            click.echo(f"refused: {error}", err=True)
            raise SystemExit(1) from None
        if out is None:
            click.echo(note, nl=False)
        else:
            out.write_text(note, "utf-8")


def _of_record(witness: Witness, place: Place, trusted: Key | None) -> str:
    """Every head of the record since the last one seen; the signature is given back where the tree is at hand."""
    with closing(published_log(data=place.data, kafka=place.kafka)) as log:
        newest = newest_shown(log)
        if newest is None:
            raise BadNoteError("the record tells of no head")
        shown = _chain(witness, log, newest)
        note = witness.sees(shown, int(time()), trusted=trusted, rotations=key_notes(log), path_due=True)
    if place.has_folder and (place.folder / TREE_FILE).is_file():
        with open_keeper(place.folder) as keeper:
            keeper.take_cosigned(note, witness.key)
        publish_now(place)
    return note


def _chain(witness: Witness, log: Log, newest: Shown) -> Sequence[Shown]:
    head = parsed_checkpoint(parsed_note(newest.note).text)
    seen = witness.size_seen(head.origin)
    if seen == 0 or head.size <= seen:
        return [newest]
    return shown_since(log, seen)


def _notes(text: str) -> list[str]:
    """Notes behind one another, an empty line between two, as each has one in its middle."""
    parts = text.rstrip("\n").split("\n\n")
    if len(parts) % 2:
        raise BadNoteError("a note in the file of keys has no signatures: write it again with key list --notes")
    return [f"{words}\n\n{signatures}\n" for words, signatures in zip(parts[::2], parts[1::2], strict=True)]


@witness_command.command("list", epilog=_LIST)
@_FOLDER
def list_command(*, folder: Path) -> None:
    """List the last head seen of each property."""
    with trust_trouble(), open_witness(folder) as witness:
        click.echo(witness.key.text, err=True)
        for origin, seen in sorted(witness.seen.items()):
            head = parsed_checkpoint(parsed_note(seen.note).text)
            click.echo(f"{origin}  {head.size} leaves  {' '.join(head.more)}  by {seen.key}")


@witness_command.command("prove", epilog=_PROVE)
@click.argument("file", type=click.File("rb"))
@click.option("--key", "keys", multiple=True, metavar="KEY", help="The property's key, had from elsewhere.")
def prove_command(*, file: Any, keys: tuple[str, ...]) -> None:
    """Look again at what a witness refused, and say what it proves."""
    with trust_trouble():
        try:
            refused = msgspec.json.decode(file.read(), type=Refused)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise TrustError(f"{file.name} is no refusal: {error}") from error
        found = found_again(refused, verify, [parsed_key(key) for key in keys])
    if found is None:
        click.echo("Nothing is proved: the second head goes on from the first one.")
        raise SystemExit(1)
    click.echo(f"{found.reason}: {found.says}")
    if found.reason not in BY_SIGNATURES:
        click.echo(_UNPROVED[found.reason])
        raise SystemExit(1)
    if not keys:
        click.echo(f"Both are signed by {refused.key}. Whose key that is the file cannot tell: give it with --key.")
        raise SystemExit(3)
    click.echo("Proved: the property signed both, and both cannot be.")


_UNPROVED = {
    "not-consistent": "The property signed both. Unless it shows a path from one to the other, it has none.",
    "old-head": "The property signed both, in this order of time: the older one was shown after the newer one.",
}
