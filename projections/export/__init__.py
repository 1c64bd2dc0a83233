"""An export: what was asked, the files that answer it, and the container that holds them. Bytes follow from both."""
