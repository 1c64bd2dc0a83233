"""Compute every stored distribution again and compare it with the stored one.

Each quantity is printed with its number of deals. `--write` stores the results; `--only NAME` computes one. The exit
status is 1 if a computed distribution differs from the stored one.
"""

import argparse
import json
import sys
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

from domain.odds.make import bad_beat, categories, colorado, cover_all, fast_action, pik_base, uth_base

MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "five_card": categories.five_card,
    "six_card": categories.six_card_bonus,
    "seven_card": categories.seven_card,
    "three_card": categories.three_card_plain,
    "three_of_five": categories.three_of_five,
    "bad_beat": bad_beat.bad_beat,
    "cover_all": cover_all.cover_all,
    "colorado": colorado.colorado,
    "pik_base": pik_base.pik_base,
    "pik_play": pik_base.pik_play,
    "fast_action": fast_action.fast_action,
    "uth_base": uth_base.uth_base,
}


def laid_out(value: Any, depth: int = 0) -> str:
    """Return JSON with one line per row, so that a changed count is a changed line."""
    if not isinstance(value, dict) or not value:
        return json.dumps(value)
    pad = "  " * (depth + 1)
    rows = (f"{pad}{json.dumps(name)}: {laid_out(held, depth + 1)}" for name, held in value.items())
    return "{\n" + ",\n".join(rows) + "\n" + "  " * depth + "}"


def _stored_text(name: str) -> str | None:
    path = files("domain.odds") / "data" / f"{name}.json"
    return path.read_text() if path.is_file() else None


def _differences(name: str, old: Any, new: Any) -> list[str]:
    """Return the first levels at which two distributions differ, by their path."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            difference
            for key in sorted(old.keys() | new.keys())
            for difference in _differences(f"{name}.{key}", old.get(key), new.get(key))
        ]
    return [] if old == new else [f"{name}: stored {old}, computed {new}"]


def _print(name: str, made: dict[str, Any]) -> None:
    for key, value in made.items():
        if isinstance(value, dict) and len(value) > 60:
            sys.stdout.write(f"  {name}.{key}: {len(value)} rows\n")
        elif isinstance(value, dict) and not any(isinstance(held, dict | list) for held in value.values()):
            numbers = [held for held in value.values() if isinstance(held, int)]
            sys.stdout.write(f"  {name}.{key}: {len(value)} rows, {sum(numbers):,} in all\n")
            for row, held in value.items():
                sys.stdout.write(f"    {row}: {held:,}\n" if isinstance(held, int) else f"    {row}: {held}\n")
        elif isinstance(value, dict):
            _print(f"{name}.{key}", value)
        else:
            sys.stdout.write(f"  {name}.{key}: {value}\n")


def _make(name: str, *, write: bool) -> bool:
    maker = MAKERS[name]
    made = {"made_by": f"{maker.__module__}.{maker.__name__}", **maker()}
    text = laid_out(made) + "\n"
    _print(name, made)
    if write:
        Path(str(files("domain.odds") / "data" / f"{name}.json")).write_text(text)
        sys.stdout.write(f"{name}: stored\n")
        return True
    held = _stored_text(name)
    if held == text:
        sys.stdout.write(f"{name}: as stored\n")
        return True
    differences = _differences(name, json.loads(held) if held else None, json.loads(text))
    for difference in differences[:10]:
        sys.stdout.write(f"{name}: DIFFERS: {difference}\n")
    return False


def main() -> int:
    """Run the requested makers."""
    parser = argparse.ArgumentParser(prog="python -m domain.odds.make", description=__doc__)
    parser.add_argument("--write", action="store_true", help="store the computed distributions")
    parser.add_argument("--only", choices=sorted(MAKERS), help="compute only this one")
    asked = parser.parse_args()
    names = [asked.only] if asked.only else list(MAKERS)
    results = [_make(name, write=asked.write) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
