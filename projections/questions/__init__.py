"""The questions a room asks: plain functions of a reading of the published data, with plain frozen results."""
