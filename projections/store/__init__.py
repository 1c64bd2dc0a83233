"""The store of the read models: one owner, one working file, Parquet behind it, published generations."""
