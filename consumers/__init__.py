"""Everything that talks to the world: files, sockets, Kafka, and the `catwalk` command."""
