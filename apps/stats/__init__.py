"""Statistics in plain Python and numpy; scipy is imported where it is used, as it loads slowly.

Methods and their sources: docs/concepts/statistics.md and docs/adr/0001.
"""
