"""The room's façade, tested."""
