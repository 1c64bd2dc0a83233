"""`catwalk feed check` from outside: files, pipes, a socket with another language's client, and what it exits with."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.zones import zones_but
from domain.facts.inputs import read_input
from domain.ledger.plausible import implausible
from tests.feeding.days import WHOLE, day
from tests.feeding.mismapped import MISMAPPED, Day, read, written

_CATWALK = Path(sys.executable).with_name("catwalk")
_PERL = """
use IO::Socket::UNIX;
my $to = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "$!";
open(my $day, "<", $ARGV[1]) or die "$!";
my $sent = 0;
while (<$day>) { print $to $_; $sent++ }
$to->flush;
while (<$to>) { print; last if /"taken":$sent\\b/ }
"""


def run(*words: str, text: str | None = None) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["feed", "check", *words], input=text)


def verdict(result: Result) -> dict[str, object]:
    """The last object of what was printed as JSON."""
    found: dict[str, object] = json.loads(result.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def lawful() -> str:
    """A day of Colorado Hold'em."""
    return day("COL", WHOLE["COL"][0])


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("", 0, "clean"),
        ("a silent chip reader", 1, "doubtful"),
        ("wagers in dollars", 3, "wrong"),
    ],
)
def test_the_exit_status_and_the_last_object_are_the_verdict(lawful: str, name: str, status: int, said: str) -> None:
    text = written(MISMAPPED[name][0](read(lawful))) if name else lawful
    result = run("-", "--json", text=text)
    assert result.exit_code == status
    told = verdict(result)
    assert set(told) == {"verdict", "judged_share", "unchecked", "doubts"}
    assert told["verdict"] == said
    assert all(set(doubt) == {"code", "says", "cure", "facts"} for doubt in told["doubts"])  # type: ignore[attr-defined]


def test_the_headline_is_the_share_of_rounds_fully_judged(lawful: str, tmp_path: Path) -> None:
    (tmp_path / "day.jsonl").write_text(lawful)
    result = run(str(tmp_path / "day.jsonl"))
    first, second, *_ = result.stdout.splitlines()
    assert first.endswith("of rounds fully judged: 60 of 60")
    assert second == "verdict: clean"
    assert "wager-placed.1" in result.stdout
    assert "never says" not in result.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["day.jsonl"]  # nothing is recorded


def test_refused_lines_are_grouped_by_cause_with_an_example_and_the_line_that_mends_it(lawful: str) -> None:
    result = run("-", text=written([_ten(line) for line in read(lawful)]))
    assert result.exit_code == 1
    [cause] = [line for line in result.stdout.splitlines() if "card-unknown" in line]
    assert "10" in cause
    came = [line for line in result.stdout.splitlines() if line.strip().startswith("came:")]
    mended = [line for line in result.stdout.splitlines() if line.strip().startswith("write:")]
    assert len(came) == len(mended) == 1
    assert '"card":"10' in came[0]
    assert '"card":"T' in mended[0]


def _ten(line: dict[str, object]) -> dict[str, object]:
    card = line.get("card")
    return line | (
        {"card": "10" + card[1]} if isinstance(card, str) and card.startswith("T") and len(card) == 2 else {}
    )


def test_the_mended_line_is_taken(lawful: str) -> None:
    """The line to write is the line before it was changed."""
    lines = read(lawful)
    told = [
        json.loads(line)
        for line in run("-", "--json", text=written([_ten(line) for line in lines])).stdout.splitlines()
    ]
    [cause] = [each["refused"] for each in told if "refused" in each]
    place = int(cause["first"].rpartition(":")[2]) - 1
    assert json.loads(cause["write"]) == lines[place]


def test_each_line_to_write_is_taken(lawful: str) -> None:
    """Every card of a list is mended, not the first one alone; a line that would still be refused is not printed."""
    lines = [json.loads(json.dumps(line).replace('"T', '"10')) for line in read(lawful)]
    opened = next(line for line in lines if line["type"] == "table-opened.1")
    opened["unrecorded"] = ["cards-spred", "shuffle-start"]
    twice = next(line for line in lines if line["type"] == "wager-placed.1")
    twice |= {"wager": "Ante", "seat": "no seat"}
    told = [json.loads(line) for line in run("-", "--json", text=written(lines)).stdout.splitlines()]
    causes = [each["refused"] for each in told if "refused" in each]
    write = [cause["write"].encode() for cause in causes if cause["write"]]
    assert any(b'"unrecorded":["cards-spread","shuffle-started"]' in line for line in write)
    assert len(write) > 2
    for line in write:
        fact = read_input(line)
        assert implausible(fact, None, zones_but=zones_but) is None
    assert [cause["write"] for cause in causes if cause["field"] == "seat"] == [""]


def test_an_opening_with_two_mistakes_ends_no_check_and_is_not_half_mended(lawful: str) -> None:
    """A mended time leaves a day that no calendar has: the report goes on and prints no line to write."""
    lines = read(lawful)
    opened = next(line for line in lines if line["type"] == "table-opened.1")
    opened |= {"gaming_day": "18/11/2026", "at": "2026-11-18T15:00:00Z"}
    result = run("-", "--json", text=written(lines))
    told = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 3, result.output
    assert [each["refused"]["write"] for each in told if each.get("refused", {}).get("field") == "at"] == [""]


def test_a_line_longer_than_any_fact_is_refused_once(lawful: str) -> None:
    result = run("-", "--json", text=lawful + "x" * 3_500_000 + "\n")
    told = [json.loads(line) for line in result.stdout.splitlines()]
    [cause] = [each["refused"] for each in told if "refused" in each]
    assert (cause["code"], cause["count"]) == ("line-cut", 1)
    assert f"1 of {len(lawful.splitlines()) + 1} lines" in result.stdout


def test_a_file_and_a_socket_are_one_too_many(tmp_path: Path) -> None:
    result = run("-", "--socket", str(tmp_path / "s"), text="")
    assert (result.exit_code, "a FILE and --socket were both given" in result.stderr) == (2, True)


def test_no_feed_is_a_usage_error(lawful: str, tmp_path: Path) -> None:
    assert run().exit_code == 2
    assert run("-", text="\n\n").exit_code == 2
    assert run("-", "--socket", str(tmp_path / "s"), text=lawful).exit_code == 2
    assert run("nowhere.jsonl").exit_code == 2


def test_junk_ends_with_a_verdict() -> None:
    """The check reports on any bytes."""
    result = run(
        "-", "--json", text='{"at":1e999}\nnull\n[1]\n{"at":true,"source":{}}\n\x00\n{"secret":"x"}\n{"type":"x"}\n'
    )
    assert (result.exit_code, verdict(result)["verdict"]) == (3, "wrong")


def _listening(socket: Path) -> subprocess.Popen[str]:
    words = [str(_CATWALK), "feed", "check", "--json", "--socket", str(socket)]
    started = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    until = monotonic() + 60
    while not socket.exists():
        assert started.poll() is None
        assert monotonic() < until
        sleep(0.05)
    return started


@pytest.mark.skipif(shutil.which("perl") is None, reason="no perl on this machine")
def test_a_device_in_another_language_is_checked_at_a_socket(tmp_path: Path) -> None:
    """The device gets a gateway's answers, and the report follows when it disconnects."""
    wrong: Day = MISMAPPED["seats from the wrong side"][0](read(day("COL", WHOLE["COL"][0])))
    (tmp_path / "day.jsonl").write_text(written(wrong))
    (tmp_path / "send.pl").write_text(_PERL)
    socket = tmp_path / "s"
    checking = _listening(socket)
    sent = subprocess.run(
        ["perl", str(tmp_path / "send.pl"), str(socket), str(tmp_path / "day.jsonl")],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert json.loads(sent.stdout.splitlines()[-1]) == {"taken": len(wrong)}
    out, _ = checking.communicate(timeout=120)
    assert checking.returncode == 3
    assert [doubt["code"] for doubt in json.loads(out.splitlines()[-1])["doubts"]] == ["seats-from-the-wrong-side"]
    assert not socket.exists()


def test_ctrl_c_ends_listening_and_reports(tmp_path: Path) -> None:
    checking = _listening(tmp_path / "s")
    os.kill(checking.pid, signal.SIGINT)
    assert checking.wait(60) == 2  # no line came
    assert not (tmp_path / "s").exists()
