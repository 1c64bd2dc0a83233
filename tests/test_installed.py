"""Catwalk as an installed application: its wheel is whole, and another package of the same name is named."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.citations import ROOT

PACKAGES = ("domain", "projections", "consumers", "dashboards")


def test_the_wheel_has_every_file_of_the_four_packages(tmp_path: Path) -> None:
    """Rule books, pictures and page styles as well as code."""
    command = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(tmp_path), "."]
    subprocess.run([sys.executable, *command], cwd=ROOT, check=True)
    [wheel] = tmp_path.glob("catwalk-*.whl")
    with zipfile.ZipFile(wheel) as opened:
        held = set(opened.namelist())
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, check=True, capture_output=True, text=True)
    assert set(listed.stdout.split()) - held == set()


def test_a_package_of_another_distribution_under_our_name_is_refused_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "domain").mkdir()
    (tmp_path / "domain/__init__.py").touch()
    ran = subprocess.run(
        [Path(sys.executable).parent / "catwalk", "--version"],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr == (
        f"catwalk: the package 'domain' that Python finds ({tmp_path}/domain) is not Catwalk's. Catwalk is an"
        " application: install it in an environment of its own, with pipx install . in its folder.\n"
    )
