"""Following a log: chains, streams and who subscribes."""
