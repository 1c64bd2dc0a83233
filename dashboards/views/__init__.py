"""One module per page. The folder is not called `pages`: Streamlit would serve its files without a sign-in."""

__all__ = [
    "cases",
    "decks",
    "exports",
    "findings",
    "floor",
    "hand",
    "incidents",
    "numbers",
    "people",
    "record",
    "table",
]
