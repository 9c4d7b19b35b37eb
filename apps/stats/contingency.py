"""Exact test of a table of two groups and one property (Fisher)."""

from __future__ import annotations


def split_probability(a: tuple[int, int], b: tuple[int, int]) -> float:
    """Return the probability by chance that at least so many of group `a` have the property.

    `a`, `b`: (number with the property, size of the group). One-sided, margins fixed.
    """
    # Lazy import: scipy takes 0.5 s to load, and most commands and pages do not need it.
    from scipy.stats import hypergeom

    (has_a, size_a), (has_b, size_b) = a, b
    return float(hypergeom.sf(has_a - 1, size_a + size_b, has_a + has_b, size_a))
