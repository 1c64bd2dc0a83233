"""Pages served for a benchmark, in a folder of their own: Streamlit finds modules beside the script it runs."""
