"""The calls of the API, one method each, by area."""
