"""The record's log: Apache Kafka, its settings, its clients, its topics, and a broker to try them on."""
