"""Parsers of the output of `rbd bench`."""
