"""Parser of the output of a discard."""
