"""The doctor, on records that were spoilt by hand and by chance."""
