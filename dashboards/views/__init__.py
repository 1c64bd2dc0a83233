"""One module a page. The folder is not called `pages`: Streamlit would serve what is in one past the sign-in."""

__all__ = ["cases", "decks", "exports", "findings", "floor", "hand", "numbers", "people", "record", "table"]
