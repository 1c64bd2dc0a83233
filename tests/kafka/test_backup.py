"""A record in Kafka backed up with its gateway's files, restored as an embedded one, and put into topics again."""

import itertools
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.command import main
from consumers.gateway import letter_records
from consumers.gateway.dead_letters import DeadLetters
from consumers.gateway.gateway import Gateway, InputLine
from consumers.gateway.keys import PASSPHRASE, KeyStore
from consumers.gateway.letter_records import Letter
from consumers.gateway.outbox import Outbox
from consumers.kafka import client, topic_names, topics
from consumers.kafka.settings import KafkaSettings
from domain.facts.codec import encode
from domain.facts.property_day import PropertyOpened
from tests.gateway.floor import START, day, lines
from tests.kafka.conftest import Secured, settings_file, with_prefix
from tests.logs.numbered import numbered

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)
OPENED = encode(PropertyOpened("2026-11-18", 0, "Test House", at=START, source="office", source_key="office:1"))
FROM = ("--from", "2026-11-18T00:00:00Z")


@pytest.fixture(autouse=True)
def _apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv(PASSPHRASE, "a passphrase for tests")


def fresh(settings: KafkaSettings, folder: Path) -> tuple[str, str]:
    """Topics nobody has written to, as an option."""
    folder.mkdir(parents=True, exist_ok=True)
    made = with_prefix(settings, f"backup{next(_NUMBERS)}.")
    topics.create(made)
    return "--kafka", settings_file(folder, made)


def catwalk(*words: str | Path, given: list[bytes] | None = None) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words], input=b"\n".join(given or []))


def good(ran: Result) -> Result:
    assert ran.exit_code == 0, ran.output
    return ran


def recorded(kafka: tuple[str, str], state: Path) -> None:
    """A property's and a table's sealed day, still open, with a line that is no fact."""
    good(catwalk("ingest", *kafka, "--state", state, given=[OPENED]))
    for table in ("property", "T7"):
        good(catwalk("keys", "make", table, f"{table}-1", *FROM, *kafka, "--state", state))
    given = [*lines(day(close=False)), b"junk"]
    assert catwalk("ingest", *kafka, "--state", state, given=given).exit_code == 1


class NoLog:
    """A log that cannot be reached."""

    def append_once(self, facts: object) -> None:
        raise ConnectionError


def test_a_record_in_kafka_is_backed_up_restored_proved_and_goes_on_in_another_cluster(
    development: KafkaSettings, tmp_path: Path
) -> None:
    kafka, state, again = fresh(development, tmp_path), tmp_path / "state", tmp_path / "again"
    recorded(kafka, state)
    # The gateway died before the log heard of the last fact: it is in the outbox alone.
    outbox = Outbox(state / "gateway/outbox.sqlite")
    letters = DeadLetters(state / "gateway/dead-letters.sqlite")
    dying = Gateway(outbox, NoLog(), KeyStore(state / "keys"), letters, lambda: 5)
    with pytest.raises(ConnectionError):
        dying.take([InputLine("standard input", 99, lines(day())[-1])])
    outbox.close()
    letters.close()
    out = tmp_path / "pit.tar"
    assert "files," in good(catwalk("backup", *kafka, "--state", state, "--out", out)).stderr
    good(catwalk("restore", out, "--data", again))
    copied = good(catwalk("log", "copy", "--from-data", again, f"--to-{kafka[0][2:]}", kafka[1]))
    assert copied.stdout.startswith("copied 0 facts")
    assert copied.stdout.splitlines()[-1].startswith("equal")
    assert "junk" in catwalk("dead-letters", "show", "1", "--data", again).stdout
    # Into a new cluster, where the gateway continues with its outbox and keys.
    elsewhere = fresh(development, tmp_path / "elsewhere")
    good(catwalk("log", "copy", "--from-data", again, "--to-kafka", elsewhere[1]))
    more = good(catwalk("ingest", *elsewhere, "--state", again, given=lines(day())))
    assert f"0 recorded, {len(lines(day()))} known already" in more.stderr
    keys = good(catwalk("keys", "list", *elsewhere, "--state", again)).stdout.splitlines()
    assert [row.split("  ")[:3] + row.split("  ")[-1:] for row in keys] == [
        ["T7", "T7-1", "valid", "stored here"],
        ["property", "property-1", "valid", "stored here"],
    ]
    proved = catwalk("doctor", *elsewhere, "--state", again, "--sealed")
    assert (proved.exit_code, proved.stdout) == (0, "")


def test_what_has_no_place_in_a_log_and_the_letters_of_others_are_in_the_backup(
    development: KafkaSettings, tmp_path: Path
) -> None:
    kafka, state, again = fresh(development, tmp_path), tmp_path / "state", tmp_path / "again"
    recorded(kafka, state)
    settings = with_prefix(development, f"backup{next(_NUMBERS) - 1}.")
    elsewhere = Letter("pit-2 socket 1", 4, "unreadable", "it is not JSON", b"of another machine", 5)
    fork = numbered("T7/2026-11-18", 5).stored
    with client.producer(settings) as stranger:
        for value in (b"by somebody else", fork):
            stranger.send(topic_names.name_of(settings, "facts"), key=b"T7", value=value)
        stranger.send(
            topic_names.name_of(settings, "dead-letters"),
            value=letter_records.encode(letter_records.record_of(elsewhere)),
        )
    good(catwalk("backup", *kafka, "--state", state, "--out", tmp_path / "pit.tar"))
    good(catwalk("restore", tmp_path / "pit.tar", "--data", again))
    assert catwalk("doctor", "--data", again).exit_code == 0
    listed = catwalk("dead-letters", "list", "--data", again).stdout.splitlines()
    assert len(listed) == 4
    assert "junk" in catwalk("dead-letters", "show", "1", "--data", again).stdout
    told = "".join(catwalk("dead-letters", "show", str(number), "--data", again).stdout for number in (2, 3, 4))
    for held in (b"of another machine", b"by somebody else", fork):
        assert held.decode() in told
    assert f"{settings.topic_prefix}facts/" in told
    assert "T7/2026-11-18:5 already holds other bytes" in told


def test_a_backup_needs_the_gateway_at_rest_its_folder_and_one_record(
    development: KafkaSettings, tmp_path: Path
) -> None:
    kafka, state, out = fresh(development, tmp_path), tmp_path / "state", tmp_path / "pit.tar"
    recorded(kafka, state)
    held = Outbox(state / "gateway/outbox.sqlite")
    held.writer()
    assert "A gateway is running" in catwalk("backup", *kafka, "--state", state, "--out", out).stderr
    held.close()
    assert "name a folder for the outbox" in catwalk("backup", *kafka, "--out", out).stderr.replace("\n", " ")
    assert catwalk("backup", *kafka, "--state", state, "--data", state, "--out", out).exit_code == 2
    assert catwalk("backup", "--out", out).exit_code == 2
    (state / "record").mkdir(exist_ok=True)
    (state / "record/facts.sqlite").write_bytes(b"")
    assert "also holds an embedded record" in catwalk("backup", *kafka, "--state", state, "--out", out).stderr
    assert not out.exists()


def test_a_gateways_user_who_may_not_read_is_told_so(secured: Secured, tmp_path: Path) -> None:
    refused = catwalk(
        "backup",
        *("--kafka", settings_file(tmp_path, secured.settings("gateway"))),
        *("--state", tmp_path / "state", "--out", tmp_path / "pit.tar"),
    )
    assert refused.exit_code == 2
    assert "this user lacks the right" in refused.stderr
    assert not (tmp_path / "pit.tar").exists()
