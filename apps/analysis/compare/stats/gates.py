"""Many comparisons read at once, in the order in which they matter.

Each chain (a workload: its main metric first, the others behind it) has an equal part of the
permitted error and hands all of it from one comparison to the next as long as they show a
difference (fixed sequence, Maurer, Hothorn and Lehmacher 1995). The first that does not ends its
chain. A chain that showed all it has gives its part to the others, as Holm (1979) does with single
comparisons; chains of one are Holm's method. The chance of even one false alarm in all chains is at
most alpha, however the comparisons depend on each other: it is a graph of Bretz, Maurer, Brannath
and Posch (2009).
"""

from __future__ import annotations

import numpy as np

from apps.analysis.compare.stats.family import ALPHA
from apps.analysis.compare.stats.nulls import ROUNDING, Floats, Ints


def divided(largest: Floats, alpha: float = ALPHA) -> Ints:
    """Among how many chains the error is divided where each chain ends: what its p are multiplied
    by. Of a chain that showed all it has, when it did; of the others, at the end. `largest`: the
    largest p of each chain, 1 for what was not tested of it.
    """
    order = np.argsort(largest, kind="stable")
    left = np.arange(len(largest), 0, -1)
    silent = ~(largest[order] * left <= alpha * ROUNDING)
    ended = int(np.argmax(silent)) if silent.any() else len(largest)
    found = np.empty(len(largest), dtype=np.int64)
    found[order] = np.where(np.arange(len(largest)) < ended, left, len(largest) - ended)
    return found


def corrected(chains: Floats, parts: Ints) -> Floats:
    """p of each comparison of each chain (a row), corrected for those before it and for the other
    chains: it shows a difference where that is at most alpha.
    """
    found: Floats = np.minimum(1.0, np.maximum.accumulate(chains, axis=1) * parts[:, None])
    return found
