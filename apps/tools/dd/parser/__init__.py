"""Parsers of dd's report lines and of the command lines around them."""
