"""docs/kafka.md says what the code does: its settings files are read, its table of rights is the access lists."""

import re
from pathlib import Path
from typing import get_args

import pytest
from kafka.admin import ACLResourcePatternType, ResourceType

from consumers.kafka import rules
from consumers.kafka.access import Role, access_list
from consumers.kafka.settings import KafkaSettings, Plaintext, read_settings

PAGE = (Path(__file__).parents[2] / "docs/kafka.md").read_text()
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
SETTINGS = KafkaSettings(profile="development", bootstrap_servers=("localhost:1",), security=Plaintext())


@pytest.mark.parametrize("block", BLOCKS, ids=["production", "compose"])
def test_a_settings_file_of_the_page_is_read(block: str, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").touch()
    (tmp_path / "kafka.toml").write_text(block)
    settings = read_settings(tmp_path / "kafka.toml")
    assert settings.topic_prefix == "catwalk."


def test_the_first_settings_file_shows_every_setting() -> None:
    assert all(
        re.search(rf"^(\[{field}\]|{field} = )", BLOCKS[0], re.MULTILINE) for field in KafkaSettings.__struct_fields__
    )


def test_the_table_of_rights_is_the_access_lists() -> None:
    told = set()
    for role in get_args(Role):
        for acl in access_list(SETTINGS, role, "somebody", "NAME" if role == "source" else ""):
            what = acl.resource_pattern
            right = "".join(word.capitalize() for word in acl.operation.name.split("_"))
            if what.resource_type == ResourceType.CLUSTER:
                told.add((role, "the cluster", right))
                continue
            star = "*" if what.pattern_type == ACLResourcePatternType.PREFIXED else ""
            of = {ResourceType.GROUP: "groups ", ResourceType.TRANSACTIONAL_ID: "transactional ids "}
            told.add((role, f"{of.get(what.resource_type, '')}{what.resource_name}{star}", right))
    rows = re.findall(rf"^\| ({'|'.join(get_args(Role))}) \| ([^|]+) \| ([^|]+) \|$", PAGE, re.MULTILINE)
    assert {(role, on, right) for role, on, rights in rows for right in rights.split(", ")} == told


def test_no_role_may_delete_or_alter() -> None:
    for role in get_args(Role):
        names = {
            acl.operation.name for acl in access_list(SETTINGS, role, "somebody", "NAME" if role == "source" else "")
        }
        assert not names & {"ALL", "DELETE", "ALTER", "ALTER_CONFIGS", "CLUSTER_ACTION"}


def test_the_page_names_every_setting_that_is_checked_of_a_topic() -> None:
    told = PAGE.replace("unclean leader election", "unclean.leader.election.enable")
    assert [rule.setting for rule in rules.TOPIC_RULES if rule.setting not in told] == []
