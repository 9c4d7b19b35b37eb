"""Demonstration: a plan on a disk or directory of this machine, up to a comparison."""
