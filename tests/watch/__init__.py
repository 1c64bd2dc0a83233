"""Every clause that events can show: a case that breaks it and a case that keeps it."""
