"""The demonstration: a real plan on a disk (or a directory) of this machine, from nothing to a
comparison.
"""
