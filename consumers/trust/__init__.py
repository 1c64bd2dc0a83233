"""The property's tree: kept, signed, shown to witnesses, proved against the record."""
