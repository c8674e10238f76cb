"""Bytes to records and back: the only folder that knows a format."""
