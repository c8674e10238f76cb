"""Puts the parts together: those of every command (parts), of MongoDB, and of a worker on Kafka."""
