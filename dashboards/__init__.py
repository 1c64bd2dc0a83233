"""The Streamlit pages of the surveillance room."""
