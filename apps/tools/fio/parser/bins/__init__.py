"""Latencies in bins: as numbers of a text, as arrays, and coarser than a histogram."""
