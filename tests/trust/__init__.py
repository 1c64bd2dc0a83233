"""The property's tree: kept, witnessed, proved against the record."""
