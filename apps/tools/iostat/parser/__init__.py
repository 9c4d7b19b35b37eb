"""Parsers of iostat's output formats."""
