"""One module per page. The folder is not called `pages`: Streamlit would serve its files without a sign-in."""

__all__ = ["cases", "decks", "exports", "findings", "floor", "hand", "numbers", "people", "record", "table"]
