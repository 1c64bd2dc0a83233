"""The Streamlit pages of the dashboard."""
