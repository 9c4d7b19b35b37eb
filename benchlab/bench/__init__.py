"""bin/bench: what benchlab costs beside the plain way of doing the same, as ratios."""
