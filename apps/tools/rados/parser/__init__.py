"""Parsers of what `rados bench` prints."""
