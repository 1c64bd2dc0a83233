"""`catwalk doctor`: read the whole record again and check it."""

from pathlib import Path

import click

from consumers.doctor.telling import STATUS, Teller
from consumers.doctor.whole import DoctorRun
from consumers.record_place import RecordOptions, moment, place_options
from domain.ledger.seals import PATIENCE

__all__ = ["STATUS", "doctor_command"]

_SECOND = 1_000_000
_EXAMPLES = """\b
Examples:
  catwalk doctor --data pit
  catwalk doctor --data pit --json
  catwalk doctor --kafka cluster.toml --state /var/lib/catwalk
  catwalk doctor --data pit --findings
  catwalk doctor --data pit --as-of 2026-11-18T21:30:00Z

The command reads every record of facts, findings and the desk, and proves sequence, hashes, seals and the links
between days. It reports each problem with its stream, sequence and place in the log, and with the byte of the record
if the bytes show it (a hash shows only the record). It lists the facts that no seal covers. Facts that wait for a
seal longer than --patience are a problem, measured by the latest fact of the record or by --as-of. With --as-of, it
also reports open streams that are silent. For each kind of problem it says what to do next, and by which command.

For an embedded record, it also examines each database file with its journal, structure and schema. It compares every
row with its own bytes, the index with the rows, and the gateway's outbox with the record. If there are checkpoints,
it compares every record with them and says how many records no checkpoint covers yet. It proves the desk's records in
the same way and, if they are published to Kafka, compares them with the topics. The desk records each run.

Read models are not part of the record. If they hold a row twice, have a rollup that disagrees with its rounds, or
cannot be read, the exit status is at most 1, and `catwalk rebuild` repairs them.

\b
Exit status, of several the highest:
   0  whole                                   12  tail-cut: records at the end are missing
   1  silent: an open stream says nothing     13  break: a record was altered
   2  usage, or the log could not be read     14  unreadable: bytes that are not a fact
   3  seal-bad: a seal is invalid             15  fork: two records at one place
   4  unsealed-long: facts wait for a seal    16  missing: the tree of checkpoints holds more
      (unsealed, with --sealed)               17  altered since a checkpoint was signed
   5  not-as-stored: same fact, other bytes    18  tree-bad: that tree itself is not whole
   6  opening-missing: no opening first       19  misfiled: found where its bytes do not say
   7  second-writer: another writer's mark    20  outbox-bad: the gateway knows another record
   8  after-close: a fact after the close     21  file-bad: a database file is damaged
   9  out-of-order: a fact in a later place
  10  day-unlinked: a day not naming the last
  11  gap: records are missing
"""


@click.command("doctor", epilog=_EXAMPLES)
@click.option("--json", "as_json", is_flag=True, help="One line of JSON for each problem.")
@click.option("--sealed", is_flag=True, help="Treat unsealed facts as a problem too.")
@click.option(
    "--findings",
    is_flag=True,
    help="Prove the findings log instead: its chains, and its seals if a watcher has a key.",
)
@click.option("--as-of", metavar="TIME", help="The time from which silence and waiting for a seal are measured.")
@click.option(
    "--patience",
    type=click.IntRange(1),
    default=PATIENCE // _SECOND,
    show_default=True,
    metavar="SECONDS",
    help="How long a stream may be silent, or its facts wait for a seal.",
)
@place_options
def doctor_command(
    *,
    as_json: bool,
    sealed: bool,
    findings: bool,
    as_of: str | None,
    patience: int,
    data: Path | None,
    kafka: Path | None,
    state: Path | None,
) -> None:
    """Check the record: re-read everything and report every altered or missing record."""
    place = RecordOptions(data, kafka, state)
    asked = moment(as_of, "--as-of") if as_of else None
    teller = Teller(as_json=as_json, sealed=sealed)
    run = DoctorRun(place, teller, asked=asked, patience=patience * _SECOND)
    if findings:
        run.prove_findings(sealed=sealed)
    else:
        run.prove()
    teller.next_steps()
    if teller.status:
        raise SystemExit(teller.status)
