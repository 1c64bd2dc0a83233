"""The `catwalk` command."""

import os
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.abc import MetaPathFinder
from typing import Any, Final

import click

from consumers.editions import install_editions
from consumers.gateway.keys import PASSPHRASE_FILE
from consumers.private import keep_private

_NAMES: Final = frozenset(
    {
        "accounts",
        "ask",
        "backup",
        "books",
        "checkpoint",
        "dead-letters",
        "demo",
        "dispute",
        "doctor",
        "export",
        "feed",
        "gateway",
        "incidents",
        "ingest",
        "keys",
        "log",
        "map",
        "odds",
        "project",
        "rebuild",
        "reconstruct",
        "relay",
        "replay",
        "restore",
        "score",
        "settle",
        "signer",
        "simulate",
        "sources",
        "sql",
        "topics",
        "up",
        "vault",
        "verify-export",
        "verify-log",
        "watch",
        "witness",
    }
)
_ELSEWHERE: Final = {"demo": "up", "gateway": "ingest", "rebuild": "project", "restore": "backup"}  # command: module


class _Commands(Mapping[str, click.Command]):
    """The commands by name. A module is imported only when its command runs: importing all takes half a second."""

    def __getitem__(self, name: str) -> click.Command:
        if name not in _NAMES:
            raise KeyError(name)
        own = name.replace("-", "_")
        module = import_module(f"consumers.commands.{_ELSEWHERE.get(name, own)}")
        found: click.Command = getattr(module, f"{own}_command")
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(_NAMES))

    def __len__(self) -> int:
        return len(_NAMES)


class Interruptible(click.Group):
    """Ctrl-C ends a command with an exit status of its own."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the named command; only the owner can read the files it writes."""
        keep_private()
        install_editions()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nEnded by Ctrl-C before it was done.", err=True)
            raise SystemExit(130) from None


@click.group(cls=Interruptible, commands=_Commands(), context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="catwalk")
@click.option(
    "--passphrase-file",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True),
    metavar="FILE",
    help=f"File with the passphrase of the keys, the vault and the witness, for any command; or {PASSPHRASE_FILE}.",
)
def main(passphrase_file: str | None) -> None:
    """The surveillance record of a casino's card-game pit."""
    if passphrase_file is not None:
        os.environ[PASSPHRASE_FILE] = passphrase_file  # child processes inherit the path, never the passphrase


def started() -> None:
    """Run the command as this process."""
    without_pandas()
    main(prog_name="catwalk")


def without_pandas() -> None:
    """Hide pandas from this process, where no command uses it.

    Streamlit brings it along, and pyarrow and DuckDB import it to ask whether a value is one of its own: two thirds of
    a short command's processor time, and 50 MB.
    """
    sys.meta_path.insert(0, _NoPandas)


class _NoPandas(MetaPathFinder):
    """Refuse to find pandas, and leave every other package to the next finder."""

    @classmethod
    def find_spec(cls, fullname: str, *_: object) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError("No command of catwalk uses pandas.", name=fullname)
