"""Parser of IOMeter's results file."""
