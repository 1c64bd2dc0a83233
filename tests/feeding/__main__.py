"""Whole days of all games from a seed on: lawful ones must be clean, and mis-mapped ones named. `make feeds` runs it."""

import sys
from collections import Counter
from time import process_time

from tests.feeding.days import GAMES, checked, day
from tests.feeding.mismapped import MISMAPPED, Day, read, ways, written

_ROUNDS, _TOGETHER = 50, 16  # finished rounds, and those with several players: fewer cannot show every way


def shows_everything(lines: Day) -> bool:
    """Whether a day's only table records everything and has enough rounds and players."""
    [opening] = [line for line in lines if line["type"] == "table-opened.1"]
    if opening.get("unrecorded") or opening.get("unseen_wagers"):
        return False
    if not any(device["kind"] == "table-reader" for device in opening["devices"]):
        return False
    seats: dict[int, set[int]] = {}
    for line in lines:
        if line["type"] in ("card-dealt.1", "stack-delivered.1") and line.get("seat"):
            seats.setdefault(line["round"], set()).add(line["seat"])
            if line["type"] == "card-dealt.1" and line.get("card", "??") == "??":
                return False
    return len(seats) >= _ROUNDS and sum(len(each) > 1 for each in seats.values()) >= _TOGETHER


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(first: int, many: int) -> int:
    """Check MANY days of each game, and return the exit status."""
    began, clean, named, lines, faults = process_time(), 0, Counter[str](), 0, 0
    for seed in range(first, first + many):
        for game in GAMES:
            text = day(game, seed, hours=None)
            day.cache_clear()
            report = checked(text)
            lines += report.lines
            clean += report.verdict == "clean"
            if report.verdict != "clean":
                faults += 1
                _say("\n  ".join([f"{game}, seed {seed}: {report.verdict}", *(doubt.says for doubt in report.doubts)]))
            right = read(text)
            for name in ways(game) if shows_everything(right) else ():
                change, code = MISMAPPED[name]
                wrong = checked(written(change(right)))
                lines += wrong.lines
                found = {doubt.code for doubt in wrong.doubts}
                named[name] += code in found
                if code not in found:
                    faults += 1
                    _say(f"{game}, seed {seed}, {name}: {wrong.verdict} {sorted(found)}")
    _say(f"{clean} of {many * len(GAMES)} lawful days clean; {sum(named.values())} mis-mapped days named:")
    for name, count in sorted(named.items()):
        _say(f"  {count:>5}  {name}")
    _say(f"{lines:,} lines in {process_time() - began:.0f} s of processor time; {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
