"""Gatekeeping: correct chains of comparisons (Bretz, Maurer, Brannath and Posch 2009).

A chain is a workload with its main metric first. Each chain has an equal share of alpha. A
comparison that shows a difference passes the share to the next one of its chain (fixed sequence;
Maurer, Hothorn and Lehmacher 1995); the first that does not ends the chain. A chain whose
comparisons all show a difference passes its share to the other chains; chains of one comparison
are the method of Holm (1979). The probability of any false positive is at most alpha under every
dependence of the comparisons.
"""

from __future__ import annotations

import numpy as np

from apps.stats.multiplicity import ALPHA
from apps.stats.null_distributions import ROUNDING, Floats, Ints


def divide_alpha(largest: Floats) -> Ints:
    """Return the number of chains that share alpha when each chain ends.

    `largest`: largest p of each chain, 1 if a comparison of it was not tested. The p of a chain
    are multiplied by this number.
    """
    order = np.argsort(largest, kind="stable")
    left = np.arange(len(largest), 0, -1)
    not_shown = ~(largest[order] * left <= ALPHA * ROUNDING)
    ended = int(np.argmax(not_shown)) if not_shown.any() else len(largest)
    counts = np.empty(len(largest), dtype=np.int64)
    counts[order] = np.where(np.arange(len(largest)) < ended, left, len(largest) - ended)
    return counts


def corrected_p(chains: Floats, parts: Ints) -> Floats:
    """Return corrected p; a row is a chain. A difference is shown where it is at most alpha."""
    counts: Floats = np.minimum(1.0, np.maximum.accumulate(chains, axis=1) * parts[:, None])
    return counts
