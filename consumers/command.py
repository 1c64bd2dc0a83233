"""The `catwalk` command."""

import os
from typing import Any

import click

from consumers.commands.accounts import accounts_command
from consumers.commands.ask import ask_command
from consumers.commands.backup import backup_command, restore_command
from consumers.commands.books import books_command
from consumers.commands.checkpoint import checkpoint_command
from consumers.commands.dead_letters import dead_letters_command
from consumers.commands.dispute import dispute_command
from consumers.commands.doctor import doctor_command
from consumers.commands.export import export_command
from consumers.commands.ingest import gateway_command, ingest_command
from consumers.commands.keys import keys_command
from consumers.commands.log import log_command
from consumers.commands.odds import odds_command
from consumers.commands.project import project_command, rebuild_command
from consumers.commands.reconstruct import reconstruct_command
from consumers.commands.relay import relay_command
from consumers.commands.replay import replay_command
from consumers.commands.score import score_command
from consumers.commands.settle import settle_command
from consumers.commands.signer import signer_command
from consumers.commands.simulate import simulate_command
from consumers.commands.sources import sources_command
from consumers.commands.sql import sql_command
from consumers.commands.topics import topics_command
from consumers.commands.up import demo_command, up_command
from consumers.commands.vault import vault_command
from consumers.commands.verify_export import verify_export_command
from consumers.commands.verify_log import verify_log_command
from consumers.commands.watch import watch_command
from consumers.commands.witness import witness_command
from consumers.editions import install_editions
from consumers.gateway.keys import PASSPHRASE_FILE
from consumers.private import keep_private


class Interruptible(click.Group):
    """Ctrl-C ends a command with a status that is no command's answer."""

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command that was named; what it writes is its owner's alone."""
        keep_private()
        install_editions()
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("\nEnded by Ctrl-C before it was done.", err=True)
            raise SystemExit(130) from None


@click.group(cls=Interruptible, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="catwalk")
@click.option(
    "--passphrase-file",
    type=click.Path(exists=True, dir_okay=False, resolve_path=True),
    metavar="FILE",
    help=f"The passphrase of the keys, of the vault and of a witness, for any command; or {PASSPHRASE_FILE}.",
)
def main(passphrase_file: str | None) -> None:
    """The surveillance record of a casino's card-game pit."""
    if passphrase_file is not None:
        os.environ[PASSPHRASE_FILE] = passphrase_file  # a path, which children may know, and never what is in it


main.add_command(settle_command)
main.add_command(odds_command)
main.add_command(books_command)
main.add_command(topics_command)
main.add_command(ingest_command)
main.add_command(gateway_command)
main.add_command(dead_letters_command)
main.add_command(keys_command)
main.add_command(sources_command)
main.add_command(doctor_command)
main.add_command(log_command)
main.add_command(backup_command)
main.add_command(restore_command)
main.add_command(verify_log_command)
main.add_command(verify_export_command)
main.add_command(export_command)
main.add_command(score_command)
main.add_command(reconstruct_command)
main.add_command(dispute_command)
main.add_command(watch_command)
main.add_command(ask_command)
main.add_command(sql_command)
main.add_command(replay_command)
main.add_command(simulate_command)
main.add_command(project_command)
main.add_command(rebuild_command)
main.add_command(relay_command)
main.add_command(accounts_command)
main.add_command(vault_command)
main.add_command(up_command)
main.add_command(demo_command)
main.add_command(checkpoint_command)
main.add_command(witness_command)
main.add_command(signer_command)
