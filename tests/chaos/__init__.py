"""Chaos: short runs on a host in a box, a random fault at a random moment in each, and the standard
check afterwards (`bin/chaos [N] [SEED]`, docs/development/testing.md).
"""
