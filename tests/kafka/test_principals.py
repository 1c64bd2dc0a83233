"""Each user of Kafka may do what its role needs; every other way is tried on real brokers and refused by them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from click.testing import CliRunner, Result
from kafka import KafkaAdminClient, TopicPartition
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from consumers.command import main
from consumers.kafka import client, topic_names, topics
from consumers.kafka.access import BadUserError, Role, access_list
from consumers.kafka.clusters import ADMINISTRATOR
from consumers.kafka.settings import KafkaSettings, KafkaUnreachableError
from tests.kafka.attempts import Attempts, quiet
from tests.kafka.conftest import SOURCES, USERS, Secured, settings_file, with_prefix

pytestmark = pytest.mark.xdist_group("kafka")

# what is tried | the roles that may; every other role, and a user without a role, is refused
MATRIX = """
write facts                  | gateway
write findings               | verifier
write cases                  | relay
write access                 | relay
write checkpoints            | keeper
write dead-letters           | gateway verifier
write inputs.shoe-7          | shoe-7
write inputs.shoe-77         | shoe-77
write inputs.shoe-8          |
read facts                   | verifier projector keeper reader
read findings                | verifier projector keeper reader
read cases                   | relay keeper reader
read access                  | relay keeper reader
read checkpoints             | keeper reader
read dead-letters            | keeper reader
read inputs.shoe-7           | gateway keeper reader
read inputs.shoe-77          | gateway keeper reader
join watch                   | verifier
join gateway                 |
commit watch                 | verifier
commit gateway               |
drop-group watch             |
transact gateway             |
transact mine                |
create rights.inputs.shoe-9  | administrator
create elsewhere             |
delete facts                 |
delete inputs.shoe-7         |
truncate facts               |
truncate inputs.shoe-7       |
widen facts                  |
alter-topic facts            |
alter-topic inputs.shoe-7    |
alter-broker 1               |
settings-of 1                | gateway verifier projector relay keeper reader administrator
read-access-lists            | administrator
add-access-list shoe-7       |
drop-access-list gateway     |
read-users                   | administrator
change-password gateway      |
reassign facts               |
elect facts                  |
read-log-folders             | administrator
"""
ROWS = [(what.strip(), set(may.split())) for what, may in (row.split("|") for row in MATRIX.strip().splitlines())]
ROLES = (*USERS.values(), *SOURCES[:2])
NOBODY = "nobody"  # lets itself in with a password and has no rights
PREFIX = "rights."  # topics of these tests alone


def settings_of(secured: Secured, role: str) -> KafkaSettings:
    return with_prefix(secured.settings(role if role in (ADMINISTRATOR, NOBODY) else f"own-{role}"), PREFIX)


def topics_command(secured: Secured, *words: str, role: str = ADMINISTRATOR) -> Result:
    file = settings_file(secured.folder, settings_of(secured, role))
    return CliRunner().invoke(main, ["topics", *words, "--kafka", file])


def access(secured: Secured, role: str, how: str, by: str = ADMINISTRATOR) -> Result:
    """`catwalk topics access` for a role, or for a source by its name."""
    words = ["source", "--source", role] if role in SOURCES else [role]
    return topics_command(secured, "access", *words, "--user", f"own-{role}", how, role=by)


@pytest.fixture(scope="module")
def granted(secured: Secured) -> Secured:
    """Users with the rights of their roles as the command gives them, and topics as an administrator makes them."""
    for role in ROLES:
        given = access(secured, role, "--apply")
        assert given.exit_code == 0, given.output
    sources = [word for source in SOURCES for word in ("--source", source)]
    made = topics_command(secured, "create", *sources, role="administrator")
    assert made.stdout.splitlines()[-1] == "rights.inputs.shoe-8: created", made.output
    return secured


@pytest.fixture(scope="module")
def root(granted: Secured) -> Iterator[Attempts]:
    """The account that set up the cluster: it shows that each attempt succeeds with the right, and what was changed."""
    one = Attempts(settings_of(granted, ADMINISTRATOR))
    yield one
    one.close()


@pytest.fixture(scope="module")
def something_everywhere(root: Attempts) -> None:
    """A record in each topic, so that reading one is not merely reading nothing."""
    for kind in topic_names.ALL:
        root.try_write(kind)
    for source in SOURCES:
        root.try_write(f"inputs.{source}")


def test_the_roles_of_the_table_are_all_there_are() -> None:
    named = {role for _, may in ROWS for role in may}
    assert named == set(ROLES)
    assert set(get_args(Role)) - {"source"} <= named


@pytest.mark.usefixtures("something_everywhere")
@pytest.mark.parametrize("role", [*ROLES, NOBODY])
def test_a_user_may_do_what_its_role_needs_and_nothing_else(granted: Secured, role: str) -> None:
    one = Attempts(settings_of(granted, role))
    try:
        with quiet():
            done = {what for what, _ in ROWS if one.tries(what)}
    finally:
        one.close()
    assert done == {what for what, may in ROWS if role in may}


@pytest.mark.usefixtures("something_everywhere")
def test_every_attempt_is_one_that_succeeds_for_who_has_the_right(root: Attempts) -> None:
    harmless = [what for what, _ in ROWS if what.split()[0] in ("read", "create", "widen", "transact", "settings-of",
                "read-access-lists", "read-users", "read-log-folders", "elect", "join", "commit")]  # fmt: skip
    assert [what for what in harmless if not root.tries(what)] == []


def test_what_was_refused_changed_nothing(granted: Secured, root: Attempts) -> None:
    settings = root.settings
    assert topics.check(settings, sources=SOURCES) == []
    for role in ROLES:
        told = access(granted, role, "--check", by="administrator")
        assert told.exit_code == 0, told.output
    partition = TopicPartition(topic_names.inputs_of(settings, "shoe-7"), 0)
    with closing(client.consumer(settings, [partition])) as reader:
        assert reader.beginning_offsets([partition]) == {partition: 0}


def test_the_command_gives_a_source_its_rights_and_names_those_beyond_them(secured: Secured, root: Attempts) -> None:
    before = access(secured, "shoe-8", "--check")
    assert (before.exit_code, before.stdout) == (1, "own-shoe-8 lacks WRITE on topic rights.inputs.shoe-8\n")
    given = access(secured, "shoe-8", "--apply")
    assert (given.exit_code, given.stdout) == (0, "own-shoe-8 has the rights of the role source and no others\n")
    root.try_add_access_list("own-shoe-8")
    try:
        seen = access(secured, "shoe-8", "--apply")
        assert seen.exit_code == 1
        assert seen.stdout == "own-shoe-8 also has WRITE on topic rights.facts: remove it\n"
    finally:
        root.try_drop_access_list("own-shoe-8")


def test_who_may_not_give_rights_is_told_so(granted: Secured) -> None:
    for role in ("gateway", "administrator"):
        refused = access(granted, "shoe-7", "--apply", by=role)
        assert (refused.exit_code, refused.stdout) == (2, "")
        assert "this user lacks the right" in refused.stderr


def test_the_printed_commands_are_the_rights(secured: Secured) -> None:
    told = topics_command(secured, "access", "source", "--source", "shoe-7")
    assert told.stdout == (
        "kafka-acls.sh --add --allow-principal User:source-shoe-7 --operation Write --topic rights.inputs.shoe-7\n"
    )


BAD = ["*", "ANONYMOUS", "a,User:b", "CN=localhost", "", " gateway"]


@pytest.mark.parametrize("user", BAD)
def test_rights_for_everybody_are_never_made(secured: Secured, user: str) -> None:
    with pytest.raises(BadUserError):
        access_list(secured.settings("gateway"), "gateway", user)


@pytest.mark.parametrize("name", ["*", "a.b", "", "../facts", "-a"])
def test_a_source_has_a_name_that_begins_no_others_topic(secured: Secured, name: str) -> None:
    refused = topics_command(secured, "access", "source", "--source", name)
    assert refused.exit_code == 2, refused.output


def _knock(secured: Secured, port: int, **how: Any) -> None:
    """Ask a broker's port for the members of the cluster."""
    assert secured.cluster.certificates is not None
    asked = {
        "bootstrap_servers": [f"localhost:{secured.cluster.brokers[0].ports[port]}"],
        "bootstrap_timeout_ms": 700,
        "security_protocol": "SSL",
        "ssl_cafile": str(secured.cluster.certificates.authority),
    }
    with closing(KafkaAdminClient(**{**asked, **how})) as asking:
        assert asking.describe_cluster()["brokers"]


@pytest.mark.parametrize("port", [0, 1, 2], ids=["clients", "between brokers", "controller"])
@pytest.mark.parametrize("protocol", ["SSL", "PLAINTEXT"])
def test_no_listener_lets_in_who_proves_nothing(secured: Secured, port: int, protocol: str) -> None:
    """TLS without a password or a certificate, and plain text, at each port of a broker."""
    with quiet(), pytest.raises((KafkaError, OSError)):
        _knock(secured, port, security_protocol=protocol)


def test_the_same_knock_with_a_certificate_is_let_in(secured: Secured) -> None:
    """So that the refusals above are for what is not proved, and not for the way of asking."""
    assert secured.cluster.certificates is not None
    key = str(secured.cluster.certificates.server)
    _knock(secured, 1, ssl_certfile=key, ssl_keyfile=key, bootstrap_timeout_ms=10_000)


def test_a_source_with_anothers_name_and_its_own_password_is_refused(secured: Secured) -> None:
    mine = secured.passwords["own-shoe-7"]
    other = secured.settings("own-shoe-77", password=mine)
    settings = msgspec.structs.replace(other, bootstrap_timeout_ms=1000)
    with pytest.raises(KafkaUnreachableError, match="a wrong user name or password"):
        client.producer(settings)


def test_a_projector_runs_with_the_rights_of_its_role(
    secured: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other programs run with theirs in test_log, test_watch, test_relay and test_checkpoints."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for user, status in (("gateway", 2), ("projector", 0)):
        place = ("--kafka", settings_file(tmp_path, secured.settings(user)), "--state", str(tmp_path / "state"))
        done = CliRunner().invoke(main, ["project", *place, "--once"])
        assert done.exit_code == status, done.output


def test_a_source_speaks_with_an_ordinary_producer(granted: Secured) -> None:
    """Idempotent and acknowledged by every replica, into its own topic; into another's it is refused."""
    with client.producer(settings_of(granted, "shoe-7")) as sender:
        assert sender.send("rights.inputs.shoe-7", value=b"{}").get(timeout=90).partition == 0
        for topic in ("inputs.shoe-77", "facts", "dead-letters"):
            with pytest.raises(TopicAuthorizationFailedError):
                sender.send(f"rights.{topic}", value=b"{}").get(timeout=90)
