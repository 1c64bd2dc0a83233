"""PDF/A-3a and PDF/UA-1, as veraPDF judges them, which is nobody's of ours."""

import os
from pathlib import Path

import pytest

from consumers.kafka.jars import BrokerUnavailableError, java
from projections.export.report import dispute_pdf, report_pdf
from tests.export.checker import CheckerUnavailableError, Standard, jars, troubles
from tests.export.reporting import a_dispute, a_report, half_seen


@pytest.fixture(scope="module")
def checker() -> None:
    """Java and veraPDF, or a plain reason why nothing can be judged."""
    try:
        java()
        jars()
    except (BrokerUnavailableError, CheckerUnavailableError) as error:
        if os.environ.get("CI"):
            pytest.fail(f"no PDF can be judged here: {error}")
        pytest.skip(f"no PDF can be judged here: {error}")


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A whole report, one of cards nobody saw, one of nothing; a dispute with everything, and one with the hand alone."""
    made = {
        "whole": a_report(),
        "unseen": a_report(hands=(half_seen(),), notes=("One note.",)),
        "empty": a_report(asked=(), editions=(), days=(), findings=(), hands=(), undecided=(), attached=(), key=""),
    }
    folder = tmp_path_factory.mktemp("reports")
    for name, report in made.items():
        (folder / f"{name}.pdf").write_bytes(report_pdf(report))
    (folder / "dispute.pdf").write_bytes(dispute_pdf(a_dispute()))
    bare = a_dispute(
        hand=half_seen(), case=None, claim=None, ruling=None, clocks=(), video=(), neighbours=(), around=()
    )
    (folder / "bare-dispute.pdf").write_bytes(dispute_pdf(bare))
    return sorted(folder.iterdir())


@pytest.mark.xdist_group("verapdf")
@pytest.mark.usefixtures("checker")
@pytest.mark.parametrize("standard", ["3a", "ua1"])
def test_reports_keep_the_standard(documents: list[Path], tmp_path: Path, standard: Standard) -> None:
    """Kept for decades and read by everybody: each rule of both. The checker is not one that says yes to anything."""
    mark = {"3a": b"<pdfaid:part>3</pdfaid:part>", "ua1": b"<pdfuaid:part>1</pdfuaid:part>"}[standard]
    held = documents[0].read_bytes()
    assert held.count(mark) == 1
    broken = tmp_path / "broken.pdf"
    broken.write_bytes(held.replace(mark, mark.replace(b"3<", b"9<").replace(b"1<", b"9<")))
    found = troubles([*documents, broken], standard)
    assert found
    assert [each for each in found if not each.startswith("broken.pdf: ")] == []
