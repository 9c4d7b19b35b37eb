"""Parsers of what iozone prints."""
