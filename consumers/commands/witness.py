"""`catwalk witness`: a second party that checks the heads of a property's tree and cosigns consistent ones."""

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
from consumers.record_place import RecordOptions, place_options
from consumers.trust.keeper import open_keeper
from consumers.trust.published import key_notes, newest_shown, published_log, shown_since
from consumers.trust.running import publish_now
from consumers.trust.tree_file import TREE_FILE
from consumers.trust.witness import NotWitnessedError, Witness, begin, open_witness
from domain.ledger.checkpoint import BadNoteError, NoteKey, parsed_checkpoint, parsed_key, parsed_note
from domain.ledger.witnessing import BY_SIGNATURES, ShownHead, WitnessRefusal, found_again, parsed_shown

_EXAMPLES = """\b
Examples:
  catwalk witness make audit.riverside --folder audit
  catwalk witness see --data pit --key catwalk/riverside+7b0cf17d+AQ... --folder audit
  catwalk witness see for-the-witness.txt --folder audit --out back.txt
  catwalk witness list --folder audit
  catwalk witness prove audit/refused-catwalk-riverside-1.json

The witness is internal audit, or the regulator: another party than the one that keeps the record, on its own machine.
Its folder holds its key, sealed with the passphrase of the keys, and the last head it saw of each property.
"""
_MAKE = """\b
Examples:
  catwalk witness make audit.riverside --folder audit
"""
_SEE = """\b
Examples:
  catwalk witness see for-the-witness.txt --key catwalk/riverside+7b0cf17d+AQ... --folder audit --out back.txt
  catwalk witness see --data pit --folder audit

FILE is the output of catwalk checkpoint show --since SIZE, with the SIZE that catwalk witness list shows. The note
with the witness's signature goes to --out, for catwalk checkpoint cosigned. Without FILE, the command checks every
head of the record since the last one seen, and stores its signature there if it can reach the tree. Give the
property's key once, from another source than the heads.

\b
Exit status: 0 signed; 1 refused, and both heads are kept in a file that proves it; 2 usage error, or an input that is
not a head of this property, which proves nothing.
"""
_LIST = """\b
Examples:
  catwalk witness list --folder audit
"""
_PROVE = """\b
Examples:
  catwalk witness prove refused-catwalk-riverside-1.json --key catwalk/riverside+7b0cf17d+AQ...

Checks a refusal again, without the witness and without the property: two heads with the property's signature, and the
path that was shown. Without --key, the command uses the keys in the file, which proves nothing about who signed.

\b
Exit status: 0 the two heads contradict each other; 1 they do not, or only until a path is shown; 2 usage
error, or a file that is not a refusal; 3 they contradict each other, but no key was given from elsewhere.
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
    """Check new checkpoints of a property against the last one seen, and cosign them."""


@witness_command.command("make", epilog=_MAKE)
@click.argument("name")
@_FOLDER
def make_command(*, name: str, folder: Path) -> None:
    """Make a key for the witness NAME, and print the public key for those who check."""
    with trust_trouble():
        click.echo(begin(folder, name).text)


@witness_command.command("see", epilog=_SEE)
@click.argument("file", type=click.File("r", "utf-8"), required=False)
@click.option("--key", metavar="KEY", help="The property's key, for its first head, or to require this key.")
@click.option(
    "--keys", type=click.File("r", "utf-8"), metavar="FILE", help="What catwalk checkpoint key list --notes wrote."
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write to this file.")
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
    """Check a new checkpoint against the last one seen and cosign it."""
    if file is None and data is None and kafka is None:
        raise click.UsageError("give a FILE to check, or the record with --data or --kafka.")
    with trust_trouble(), open_witness(folder) as witness:
        trusted = parsed_key(key) if key else None
        try:
            if file is not None:
                notes = _notes(keys.read()) if keys is not None else []
                note = witness.sees([parsed_shown(file.read())], int(time()), trusted=trusted, rotations=notes)
            else:
                note = _of_record(witness, RecordOptions(data, kafka, state), trusted)
        except NotWitnessedError as error:
            click.echo(f"refused: {error}", err=True)
            raise SystemExit(1) from None
        if out is None:
            click.echo(note, nl=False)
        else:
            out.write_text(note, "utf-8")


def _of_record(witness: Witness, place: RecordOptions, trusted: NoteKey | None) -> str:
    """Check every head of the record since the last one seen; store the signature if the tree is within reach."""
    with closing(published_log(data=place.data, kafka=place.kafka)) as log:
        newest = newest_shown(log)
        if newest is None:
            raise BadNoteError("the record has no head")
        shown = _chain(witness, log, newest)
        note = witness.sees(shown, int(time()), trusted=trusted, rotations=key_notes(log), path_due=True)
    if place.has_folder and (place.folder / TREE_FILE).is_file():
        with open_keeper(place.folder) as keeper:
            keeper.take_cosigned(note, witness.key)
        publish_now(place)
    return note


def _chain(witness: Witness, log: Log, newest: ShownHead) -> Sequence[ShownHead]:
    head = parsed_checkpoint(parsed_note(newest.note).text)
    seen = witness.size_seen(head.origin)
    if seen == 0 or head.size <= seen:
        return [newest]
    return shown_since(log, seen)


def _notes(text: str) -> list[str]:
    """Split notes that are separated by an empty line; each note also has one inside."""
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
@click.option("--key", "keys", multiple=True, metavar="KEY", help="The property's key, from elsewhere.")
def prove_command(*, file: Any, keys: tuple[str, ...]) -> None:
    """Check again what a witness refused, and show what it proves."""
    with trust_trouble():
        try:
            refused = msgspec.json.decode(file.read(), type=WitnessRefusal)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise TrustError(f"{file.name} is not a refusal: {error}") from error
        found = found_again(refused, verify, [parsed_key(key) for key in keys])
    if found is None:
        click.echo("Nothing is proved: the second head continues the first one.")
        raise SystemExit(1)
    click.echo(f"{found.reason}: {found.says}")
    if found.reason not in BY_SIGNATURES:
        click.echo(_UNPROVED[found.reason])
        raise SystemExit(1)
    if not keys:
        click.echo(f"Both are signed by {refused.key}. The file does not prove whose key that is: use --key.")
        raise SystemExit(3)
    click.echo("Proved: the property signed two heads that contradict each other.")


_UNPROVED = {
    "not-consistent": "The property signed both. Only a path from one to the other would show that they agree.",
    "old-head": "The property signed both, in this order of time: the older one was shown after the newer one.",
}
