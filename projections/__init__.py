"""Read models in DuckDB, the questions asked of them, and exports."""
