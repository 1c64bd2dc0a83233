"""An export of a record in Kafka: the same bytes as of the same record in an embedded log."""

import itertools
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from consumers.exporting.making import make
from consumers.exporting.record import ExportableRecord
from consumers.kafka import topics
from consumers.kafka.settings import KafkaSettings
from consumers.logs.copying import copy
from consumers.logs.opening import embedded_log, findings_log, kafka_log
from projections.export.question import Scope
from tests.export import pits
from tests.export.pits import DAYS, ENVIRONMENT, Pit, asked, silent
from tests.kafka.conftest import settings_file, with_prefix

pytestmark = pytest.mark.xdist_group("kafka")
_NUMBERS = itertools.count(1)


@pytest.fixture
def pit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pit:
    for name, value in ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    return pits.made(tmp_path / "pit")


@pytest.fixture
def cluster(development: KafkaSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The settings of topics nobody has written to."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "index"))
    settings = with_prefix(development, f"export{next(_NUMBERS)}.")
    topics.create(settings)
    return Path(settings_file(tmp_path, settings))


def test_an_export_from_kafka_is_the_one_from_the_embedded_log(pit: Pit, cluster: Path, tmp_path: Path) -> None:
    with (
        closing(kafka_log(cluster)) as facts,
        closing(kafka_log(cluster, "findings")) as findings,
        closing(embedded_log(pit.folder)) as told,
        closing(findings_log(data=pit.folder, create=False)) as found,
    ):
        assert not copy(told, facts).different
        assert not copy(found, findings).different
        to_date = Scope(days=(DAYS[1], DAYS[1]), to_date=True)  # it reaches back to a day that is not shown
        for number, scope in enumerate((Scope(days=(DAYS[0], DAYS[1])), Scope(player=pit.player), to_date)):
            with asked(pit, scope) as (question, record, keeper):
                make(question, record, tmp_path / f"{number}.tar", silent)
                of_kafka = ExportableRecord(keeper, question.checkpoint.size, facts, findings, None)
                make(question, of_kafka, tmp_path / f"{number}.kafka.tar", silent)
            assert (tmp_path / f"{number}.tar").read_bytes() == (tmp_path / f"{number}.kafka.tar").read_bytes()
            assert msgspec.json.decode(question.stored)["checkpoint"]["size"] == pit.sizes[0]
