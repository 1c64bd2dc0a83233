"""`python -m tests.watch.written`: write the findings of the cases and the variations again."""

from tests.watch import raised, variations


def main() -> None:
    """Write every file; the difference then shows what changed."""
    raised.GOLDEN.mkdir(exist_ok=True)
    for subject in raised.SUBJECTS:
        (raised.GOLDEN / f"{subject}.txt").write_text(raised.raised(subject), "utf-8")
    for file in variations.FILES:
        (variations.FOLDER / f"{file}.txt").write_text(variations.told(variations.lines_of(file)), "utf-8")


if __name__ == "__main__":
    main()
