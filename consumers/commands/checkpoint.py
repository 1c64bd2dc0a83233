"""`catwalk checkpoint`: extend the property's tree and sign its head."""

import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
import msgspec

from consumers.ending import until_ended
from consumers.gateway.keys import KeyStore, KeyTroubleError
from consumers.kafka.option import kafka_trouble
from consumers.logs.opening import unread_log
from consumers.record_place import RecordOptions, now, place_options
from consumers.trust.clock import ClockLeapError
from consumers.trust.holding import HeldError, LostError, file_hold
from consumers.trust.keeper import KEYS, Keeper, SignedHead, begin, open_keeper
from consumers.trust.published import newest_shown, published_log, restore
from consumers.trust.running import Work, at_work, publish_now
from consumers.trust.tree_file import TREE_FILE, TreeTroubleError
from domain.ledger.checkpoint import BadNoteError, parsed_key, parsed_note
from domain.ledger.rotation import KeyRotation

_EXAMPLES = """\b
Examples:
  catwalk checkpoint key make catwalk/riverside --data pit
  catwalk checkpoint --data pit
  catwalk checkpoint --data pit --every 5m
  catwalk checkpoint --kafka cluster.toml --state /var/lib/catwalk --every 5m
  catwalk checkpoint list --data pit
  catwalk checkpoint show --data pit --since 412 --out for-the-witness.txt
  catwalk checkpoint cosigned back.txt --witness audit.riverside+d4bd76b8+BNB... --data pit

Every stretch of sealed facts, verified findings and desk records becomes a leaf of one tree. The head of the tree is
signed and published. After that, no record in the tree can be altered, dropped or cut off unnoticed. Facts that no
seal covers yet wait one minute for a seal. docs/trust.md describes how it works.

\b
Exit status: 0 signed, or nothing new; 1 there is nothing to sign yet; 2 usage error, or a tree, key or log that could
not be read or written; 3 another keeper has the tree, and nothing was signed; 4 the clock is more than a week ahead
of everything on record.
"""
_KEY = """\b
Examples:
  catwalk checkpoint key make catwalk/riverside --data pit
  catwalk checkpoint key rotate --data pit
  catwalk checkpoint key list --data pit
"""
_SHOW = """\b
Examples:
  catwalk checkpoint show --data pit
  catwalk checkpoint show 412 --data pit
  catwalk checkpoint show --since 412 --data pit --out for-the-witness.txt

With --since, the path from that size comes first, in the form for C2SP witnesses.
"""
_LIST = """\b
Examples:
  catwalk checkpoint list --data pit
  catwalk checkpoint list --data pit --json
"""
_COSIGNED = """\b
Examples:
  catwalk checkpoint cosigned back.txt --witness audit.riverside+d4bd76b8+BNB... --data pit
"""
_RESTORE = """\b
Examples:
  catwalk checkpoint restore --data pit

The order of the leaves is evidence and cannot be recomputed. So a lost tree is rebuilt from its published entries,
and each leaf, path, root and signature is checked.
"""
_SPAN = re.compile(r"(\d{1,6})([smh])")
_UNITS = {"s": 1, "m": 60, "h": 3600}


class OtherKeeperError(click.ClickException):
    """An error with exit status 3: another keeper has the tree."""

    exit_code = 3


class ClockError(click.ClickException):
    """An error with exit status 4: the clock is far ahead of the record."""

    exit_code = 4


class TrustError(click.ClickException):
    """An error with exit status 2: a tree, key or note that cannot be used."""

    exit_code = 2


@contextmanager
def trust_trouble() -> Iterator[None]:
    """Turn an error about a tree, a key or a note into one sentence and status 2."""
    with unread_log(), kafka_trouble():
        try:
            yield
        except (KeyTroubleError, TreeTroubleError, BadNoteError) as error:
            raise TrustError(str(error)) from error
        except (HeldError, LostError) as error:
            raise OtherKeeperError(str(error)) from error
        except ClockLeapError as error:
            raise ClockError(str(error)) from error
        except OSError as error:
            raise TrustError(f"{error.filename}: {error.strerror}") from error


class _Span(click.ParamType[int]):
    name = "span"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        found = _SPAN.fullmatch(str(value))
        if found is None or not int(found[1]):
            self.fail(f"{value!r}: write it like 30s, 5m or 1h", param, ctx)
        return int(found[1]) * _UNITS[found[2]]


@click.group("checkpoint", epilog=_EXAMPLES, invoke_without_command=True)
@click.option(
    "--every",
    type=_Span(),
    metavar="TIME",
    help="Keep running, and sign a head at this interval and at each day's close.",
)
@click.option("--begin", "name", metavar="NAME", help="Begin a tree under the property's NAME if there never was one.")
@click.option(
    "--clock-is-right", is_flag=True, help="Sign once, although the clock is a week ahead of everything on record."
)
@place_options
@click.pass_context
def checkpoint_command(
    ctx: click.Context,
    *,
    every: int | None,
    name: str | None,
    clock_is_right: bool,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Sign the head of the property's tree; manage its key, heads and witnesses."""
    if ctx.invoked_subcommand is not None:
        return
    if every is not None and clock_is_right:
        raise click.UsageError("--clock-is-right signs one head: remove --every.")
    place = RecordOptions(data, kafka, state)
    with trust_trouble(), ExitStack() as opened:
        if name and not (place.folder / TREE_FILE).exists():
            _begun(place, name)
        work = opened.enter_context(at_work(place))
        if every is None:
            _once(work, clock_is_right=clock_is_right)
            return
        click.echo(f"{work.keeper.origin}: {work.keeper.tree.size} leaves so far", err=True)
        with until_ended() as stop:
            work.follow(every, stop, _tell, partial(click.echo, err=True))


def _once(work: Work, *, clock_is_right: bool) -> None:
    work.read(at := now())
    made = work.checkpoint(at, clock_is_right=clock_is_right)
    if work.placeless:
        says = f"{work.placeless} records name no stream and sequence, so they are not in the tree"
        click.echo(f"{says}; catwalk doctor reports them", err=True)
    sizes = work.keeper.sizes()
    if not sizes:
        click.echo("There is nothing to sign yet: the record is empty, or no seal covers it.", err=True)
        raise SystemExit(1)
    if made is None:
        click.echo(f"There is nothing new since the head of {sizes[-1]} leaves.", err=True)
    else:
        _tell(made)
    click.echo(work.keeper.note(sizes[-1]), nl=False)


def _tell(made: SignedHead) -> None:
    closes = f", closes {', '.join(made.days)}" if made.days else ""
    root = parsed_note(made.note).text.split("\n")[2]
    click.echo(f"signed {made.size} leaves{closes}: {root}", err=True)


@checkpoint_command.command("show", epilog=_SHOW)
@click.argument("size", type=click.IntRange(1), required=False)
@click.option("--since", type=click.IntRange(0), metavar="SIZE", help="Add the path from this size, for a witness.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write to this file.")
@place_options
def show_command(
    *, size: int | None, since: int | None, out: Path | None, data: Path | None, kafka: Path | None, state: Path | None
) -> None:
    """Print a checkpoint, the newest or the one of SIZE, with its cosignatures."""
    with trust_trouble(), open_keeper(RecordOptions(data, kafka, state).folder) as keeper:
        sizes = keeper.sizes()
        if not sizes:
            raise TrustError("there is no checkpoint yet: create one with catwalk checkpoint")
        asked = sizes[-1] if size is None else size
        if since is not None and since > asked:
            raise click.BadParameter(f"{since} is larger than the checkpoint's {asked} leaves", param_hint="--since")
        text = keeper.note(asked) if since is None else keeper.shown(asked, since).text
        if out is None:
            click.echo(text, nl=False)
        else:
            out.write_text(text, "utf-8")


@checkpoint_command.command("list", epilog=_LIST)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each checkpoint.")
@place_options
def list_command(*, as_json: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """List the checkpoints: when, how many leaves, which days they close, who has signed."""
    with trust_trouble(), open_keeper(RecordOptions(data, kafka, state).folder) as keeper:
        for size in keeper.sizes():
            row = _row(keeper, size)
            if as_json:
                click.echo(msgspec.json.encode(row))
            else:
                closes = f"  closes {', '.join(row['days'])}" if row["days"] else ""
                click.echo(f"{row['time']}  {size:>8} leaves  {' '.join(row['signed_by'])}{closes}")


def _row(keeper: Keeper, size: int) -> dict[str, Any]:
    head, note = keeper.head(size), parsed_note(keeper.note(size))
    names = [signature.name for signature in note.signatures]
    return {"size": size, "time": head.time, "root": head.checkpoint.root.hex(), "days": head.days, "signed_by": names}


@checkpoint_command.command("cosigned", epilog=_COSIGNED)
@click.argument("file", type=click.File("r", "utf-8"))
@click.option("--witness", required=True, metavar="KEY", help="The witness's key, as catwalk witness make printed it.")
@place_options
def cosigned_command(*, file: Any, witness: str, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Store a witness's signature returned in FILE (- is standard input)."""
    place = RecordOptions(data, kafka, state)
    with trust_trouble(), open_keeper(place.folder) as keeper:
        size = keeper.take_cosigned(file.read(), parsed_key(witness))
        _published_or_left(place)
    click.echo(f"the head of {size} leaves is cosigned by {parsed_key(witness).name}", err=True)


@checkpoint_command.command("restore", epilog=_RESTORE)
@place_options
def restore_command(*, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Rebuild a lost tree from what was published."""
    place = RecordOptions(data, kafka, state)
    with trust_trouble(), file_hold(place.folder), closing(published_log(data=place.data, kafka=place.kafka)) as log:
        restore(log, place.folder / TREE_FILE)
        with open_keeper(place.folder) as keeper:
            click.echo(f"{keeper.origin}: {keeper.tree.size} leaves under {len(keeper.sizes())} heads", err=True)


@checkpoint_command.group("key", epilog=_KEY)
def key_command() -> None:
    """Make, rotate and list the property's key; its file is sealed with the passphrase of the keys."""


@key_command.command("make", epilog=_KEY)
@click.argument("name")
@place_options
def make_command(*, name: str, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Begin a tree under the property's NAME, make its key, and print the public key for those who check."""
    with trust_trouble():
        click.echo(_begun(RecordOptions(data, kafka, state), name).key.text)


def _begun(place: RecordOptions, name: str) -> KeyRotation:
    """Begin a tree; raise an error if checkpoints of this record were published before, because then a tree is lost."""
    with closing(place.log()), file_hold(place.folder):
        with closing(published_log(data=place.data, kafka=place.kafka, create=True)) as log:
            if not (place.folder / TREE_FILE).exists() and newest_shown(log) is not None:
                says = "checkpoints of this record were published, but its tree is missing here"
                raise TreeTroubleError(f"{says}. Restore a backup, or run catwalk checkpoint restore")
        return begin(place.folder, name, now())


def _published_or_left(place: RecordOptions) -> None:
    if not publish_now(place):
        click.echo("A keeper is running: it publishes this within seconds.", err=True)


@key_command.command("rotate", epilog=_KEY)
@place_options
def rotate_command(*, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """Replace the property's key by a note that both keys sign, and print the new key."""
    place = RecordOptions(data, kafka, state)
    with trust_trouble(), open_keeper(place.folder) as keeper:
        told = keeper.rotate(KeyStore(place.folder / KEYS), now())
        _published_or_left(place)
    click.echo(told.key.text)


@key_command.command("list", epilog=_KEY)
@click.option("--notes", is_flag=True, help="Print the signed notes themselves, for people who trust an older key.")
@place_options
def keys_command(*, notes: bool, data: Path | None, kafka: Path | None, state: Path | None) -> None:
    """List the property's keys, the first one first."""
    with trust_trouble(), open_keeper(RecordOptions(data, kafka, state).folder) as keeper:
        if notes:
            sys.stdout.write("".join(f"{note}\n" for note in keeper.rotations()))
            return
        for number, told in enumerate(keeper.tree.keys, 1):
            click.echo(f"{number}  from {told.time}, {told.size} leaves  {told.key.text}")
