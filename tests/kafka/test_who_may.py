"""Commands on a record in Kafka: known by the accounts of the desk that --state names, and shown nothing without one."""

from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from consumers.accounts import accounts
from consumers.accounts.accounts import added
from consumers.accounts.asker import AS, PASSWORD_FILE, user
from consumers.command import main
from consumers.desk.opening import open_desk
from consumers.kafka import topics
from consumers.kafka.settings import KafkaSettings
from domain.desk.access import Accessed, AccessRefused
from domain.desk.records import decode
from domain.facts.envelope import Fact
from tests.gateway.floor import day, lines
from tests.kafka.conftest import settings_file, with_prefix

pytestmark = pytest.mark.xdist_group("kafka")

GIVEN = "a long enough one"
# The command | a role that may not, where there is one | a role that may | the status it ends with for that one
TRIED = """
backup --out OUT/backup.tar                  | operator     | device-admin | 0
dead-letters list                            |              | operator     | 0
dead-letters show 1                          | operator     | investigator | 1
log copy --to-data OUT/copy                  | operator     | manager      | 0
reconstruct T7 --round 1                     | device-admin | operator     | 0
replay --without wager-overpaid              | operator     | manager      | 0
verify-log                                   | device-admin | operator     | 1
watch --once                                 | device-admin | operator     | 1
incidents                                    | device-admin | operator     | 1
"""


def run(words: list[str], who: str = "", file: Path | None = None) -> Result:
    """A command as this account."""
    return CliRunner().invoke(main, words, env={AS: who or None, PASSWORD_FILE: str(file) if file else None})


def told(state: Path) -> list[Fact]:
    """The access log of this desk."""
    with closing(open_desk(state, {})) as desk:
        rows = desk.recorder.select_notifications(1, 10_000)
        return [decode(bytes(row.state)) for row in rows]


@pytest.fixture
def fresh(development: KafkaSettings) -> KafkaSettings:
    """Topics nobody has written to."""
    settings = with_prefix(development, "whomay.")
    topics.create(settings)
    return settings


def test_on_kafka_as_beside_an_embedded_record(
    fresh: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(accounts, "_COST", 2**4)  # two dozen sign-ins
    state, given = tmp_path / "state", tmp_path / "given"
    kafka = settings_file(tmp_path, fresh)
    taken = CliRunner().invoke(
        main, ["ingest", "--kafka", kafka, "--state", str(state)], input=b"\n".join(lines(day()))
    )
    assert taken.exit_code == 0, taken.output
    given.write_text(GIVEN)
    for role in ("operator", "investigator", "manager", "device-admin"):
        added(state / "accounts.toml", role, (role,), GIVEN)
    for number, row in enumerate(TRIED.strip().splitlines()):
        text, refused, may, status = (cell.strip() for cell in row.split("|"))
        out = tmp_path / f"out{number}"
        out.mkdir()
        bare = [*text.replace("OUT", str(out)).split(), "--from-kafka" if text.startswith("log") else "--kafka", kafka]
        words = [*bare, "--state", str(state)]
        nowhere = run(bare, may, given)
        assert (nowhere.exit_code, nowhere.stdout) == (2, ""), (text, nowhere.output)
        assert "--state" in nowhere.stderr, text
        for who in ("", refused) if refused else ("",):
            before = len(told(state))
            done = run(words, who, given)
            assert (done.exit_code, done.stdout) == (4, ""), (text, done.output)
            [record] = told(state)[before:]
            assert isinstance(record, AccessRefused)
            assert record.by == (who or user())
            assert not list(out.iterdir()), text
        before = len(told(state))
        done = run(words, may, given)
        assert done.exit_code == int(status), (text, done.output)
        [look] = told(state)[before:]
        assert isinstance(look, Accessed)
        assert (look.by, look.role) == (may, may)
