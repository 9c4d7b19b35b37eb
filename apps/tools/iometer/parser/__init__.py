"""The parser of IOMeter's results file."""
