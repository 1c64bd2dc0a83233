"""Catwalk on systems that have nothing but what their packages bring: `make bare`."""
