"""Decisions of a gate, and their renderings for pipelines."""
