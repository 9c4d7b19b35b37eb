"""Parser of elbencho's CSV and of its table of results."""
