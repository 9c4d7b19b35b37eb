"""Numbers of repeats: the smallest for any verdict, and the recommended one.

The recommended number is the default of new plans and of repeats added to a run.
"""

MIN_REPEATS = 4
"""The exact permutation test of 3 against 3 has 20 splits, so its two-sided p is at least 0.1."""
RECOMMENDED_REPEATS = 6
"""Repeats of each level. 4 against 4 show a difference only without any overlap."""
