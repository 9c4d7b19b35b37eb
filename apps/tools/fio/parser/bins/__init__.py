"""Latency bins: parsed, as arrays, and as coarse distributions."""
