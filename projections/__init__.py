"""Read models in DuckDB, the queries on them, and exports."""
