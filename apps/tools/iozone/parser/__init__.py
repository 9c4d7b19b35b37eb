"""Parsers of iozone's output."""
