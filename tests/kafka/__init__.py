"""Tests of Catwalk on a real Apache Kafka."""
