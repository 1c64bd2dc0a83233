"""The colors that say something can be read on every background, in both themes; the accent is the theme's own."""

import re
import tomllib
from collections.abc import Iterator

import pytest

from tests.citations import ROOT

THEMES = ("light", "dark")
CSS = (ROOT / "dashboards/style.css").read_text("utf-8")
THEME = tomllib.loads((ROOT / "dashboards/.streamlit/config.toml").read_text("utf-8"))["theme"]
PAIRS = dict(re.findall(r"--(ok|warn|bad|calm|accent): light-dark\(([^)]+)\)", CSS))
TEXT = 4.5  # WCAG 2.2, 1.4.3: contrast of text
SHAPE = 3.0  # 1.4.11: of what is no text


def pair(name: str) -> list[str]:
    """A color of style.css, light and dark."""
    return [each.strip() for each in PAIRS[name].split(",")]


def luminance(color: str) -> float:
    """Relative luminance as WCAG defines it."""
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Contrast of one color with another."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)


def backgrounds(theme: str) -> Iterator[str]:
    """Colors on which the pages show words."""
    yield THEME[theme]["backgroundColor"]
    yield THEME[theme]["secondaryBackgroundColor"]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["ok", "warn", "bad", "calm", "accent"])
def test_a_color_stands_out_from_what_it_is_on(name: str, theme: str) -> None:
    color = pair(name)[THEMES.index(theme)]
    least = SHAPE if name == "accent" else TEXT
    assert [round(contrast(color, each), 2) for each in backgrounds(theme) if contrast(color, each) < least] == []


def test_the_accent_of_the_pages_is_that_of_the_theme() -> None:
    assert pair("accent") == [THEME[theme]["primaryColor"] for theme in THEMES]


def test_contrast_is_what_wcag_says_it_is() -> None:
    assert (round(contrast("#ffffff", "#000000"), 2), round(contrast("#777777", "#ffffff"), 2)) == (21.0, 4.48)
