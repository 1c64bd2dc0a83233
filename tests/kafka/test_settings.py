"""The settings file: what it may say, and one sentence with file, key and advice for what it may not."""

from pathlib import Path

import pytest

from consumers.kafka.settings import (
    KafkaSettings,
    KafkaSettingsError,
    Plaintext,
    ScramOverTls,
    password_of,
    read_settings,
)

PRODUCTION = """\
profile = "production"
bootstrap_servers = ["kafka-1:9093", "kafka-2:9093", "kafka-3:9093"]
topic_prefix = "pit."
partitions = 24
compression = "zstd"

[security]
protocol = "SASL_SSL"
ca_file = "ca.pem"
user = "gateway"
password_file = "gateway.password"
"""
DEVELOPMENT = """\
profile = "development"
bootstrap_servers = ["localhost:19092"]

[security]
protocol = "PLAINTEXT"
"""

# A line of the production file, its replacement, and what the error says after the file's name.
WRONG = """
profile = "production"               |                                     | profile: missing
profile = "production"               | profile = "staging"                 | profile: invalid enum value 'staging'
bootstrap_servers = ["kafka-1:9093", "kafka-2:9093", "kafka-3:9093"] | bootstrap_servers = []        | bootstrap_servers: expected `array` of length >= 1
bootstrap_servers = ["kafka-1:9093", "kafka-2:9093", "kafka-3:9093"] | bootstrap_servers = ["kafka"] | bootstrap_servers[0]: each is host:port
topic_prefix = "pit."                | topic_prefix = "pit_floor."         | topic_prefix: it is made of letters
partitions = 24                      | partitions = "24"                   | partitions: expected `int`, got `str`
partitions = 24                      | partitions = 0                      | partitions: expected `int` >= 1
partitions = 24                      | partition = 24                      | partition: there is no such setting
compression = "zstd"                 | compression = "rar"                 | compression: invalid enum value 'rar'
compression = "zstd"                 | compression = zstd                  | this is not TOML
protocol = "SASL_SSL"                | protocol = "PLAIN"                  | security.protocol: invalid value 'PLAIN'
protocol = "SASL_SSL"                |                                     | security.protocol: missing
ca_file = "ca.pem"                   |                                     | security.ca_file: missing
ca_file = "ca.pem"                   | ca_file = 3                         | security.ca_file: expected the path of a file
ca_file = "ca.pem"                   | ca_file = "other.pem"               | security.ca_file: the file
user = "gateway"                     |                                     | security.user: missing
user = "gateway"                     | user = ""                           | security.user: expected `str` of length >= 1
password_file = "gateway.password"   |                                     | security: name one place for the password
password_file = "gateway.password"   | password_env = "GATEWAY PASSWORD"   | security.password_env: it is the name
password_file = "gateway.password"   | password = "open sesame"            | security.password: this file must not hold a secret
password_file = "gateway.password"   | sasl_plain_password = "open sesame" | security.sasl_plain_password: this file must not hold a secret
"""
ROWS = [tuple(cell.strip() for cell in line.split("|")) for line in WRONG.strip().splitlines()]


def written(folder: Path, text: str) -> Path:
    (folder / "ca.pem").write_text("")
    (folder / "gateway.password").write_text("open sesame\n")
    file = folder / "kafka.toml"
    file.write_text(text)
    return file


def test_a_production_file_is_read_with_paths_from_its_folder(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, PRODUCTION))
    assert settings == KafkaSettings(
        profile="production",
        bootstrap_servers=("kafka-1:9093", "kafka-2:9093", "kafka-3:9093"),
        topic_prefix="pit.",
        partitions=24,
        compression="zstd",
        security=ScramOverTls(tmp_path / "ca.pem", "gateway", tmp_path / "gateway.password"),
    )
    assert settings.banner is None


def test_a_development_file_says_what_it_is(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, DEVELOPMENT))
    assert settings.security == Plaintext()
    assert "DEVELOPMENT PROFILE" in (settings.banner or "")


@pytest.mark.parametrize(("line", "instead", "says"), ROWS, ids=lambda text: text[:50])
def test_a_wrong_file_is_refused_by_file_and_key(line: str, instead: str, says: str, tmp_path: Path) -> None:
    assert line in PRODUCTION
    file = written(tmp_path, PRODUCTION.replace(line, instead))
    with pytest.raises(KafkaSettingsError) as refused:
        read_settings(file)
    message = str(refused.value)
    assert message.startswith(f"{file}: {says}")
    assert "open sesame" not in message


def test_plain_text_is_refused_in_production(tmp_path: Path) -> None:
    file = written(tmp_path, DEVELOPMENT.replace("development", "production"))
    with pytest.raises(KafkaSettingsError, match='PLAINTEXT is for profile = "development" only'):
        read_settings(file)


def test_two_places_of_a_password_are_refused(tmp_path: Path) -> None:
    file = written(tmp_path, PRODUCTION + 'password_env = "P"\n')
    with pytest.raises(KafkaSettingsError, match="not both"):
        read_settings(file)


def test_a_missing_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(KafkaSettingsError, match=r"No such file or directory\. Name a readable file with --kafka"):
        read_settings(tmp_path / "nowhere.toml")


@pytest.mark.parametrize(
    ("environment", "says"),
    [({"P": "open sesame"}, None), ({"P": ""}, "the environment variable P"), ({}, "the environment variable P")],
)
def test_a_password_comes_from_the_named_variable(
    environment: dict[str, str], says: str | None, tmp_path: Path
) -> None:
    security = ScramOverTls(tmp_path / "ca.pem", "gateway", password_env="P")
    if says is None:
        assert password_of(security, environment) == "open sesame"
        return
    with pytest.raises(KafkaSettingsError, match=says):
        password_of(security, environment)


def test_a_password_comes_from_the_named_file_without_its_line_end(tmp_path: Path) -> None:
    settings = read_settings(written(tmp_path, PRODUCTION))
    assert isinstance(settings.security, ScramOverTls)
    assert password_of(settings.security) == "open sesame"
    (tmp_path / "gateway.password").unlink()
    with pytest.raises(KafkaSettingsError, match=r"no password for gateway: .* cannot be read"):
        password_of(settings.security)


def test_settings_shown_hold_no_password(tmp_path: Path) -> None:
    assert "open sesame" not in repr(read_settings(written(tmp_path, PRODUCTION)))
