"""Parsers of fio's output formats."""
