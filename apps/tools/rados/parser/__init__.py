"""Parsers of the output of `rados bench`."""
