"""The store of the read models: one owner, one working file, Parquet for older rows, published generations."""

from projections.store.layout import Pointer
from projections.store.store import Store

__all__ = ["Pointer", "Store", "bookkeeping", "ddl", "layout", "relations", "store"]
