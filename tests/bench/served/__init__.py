"""What is served for a benchmark; apart, for Streamlit finds modules beside the script it runs."""
