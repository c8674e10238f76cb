"""Adapters of the ports: one file a technology."""
