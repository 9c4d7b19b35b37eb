"""Baselines: naming results that others are held against, and what they measured."""
