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

from collections.abc import Sequence

import numpy as np

from apps.analysis.compare.stats.family import ALPHA, reaches


def factors(p_values: Sequence[Sequence[float]], alpha: float = ALPHA) -> list[int]:
    """Among how many chains the error is divided where each chain ends: what its p are multiplied
    by. Of a chain that showed all it has, when it did; of the others, at the end.
    """
    largest = np.array([max(chain) for chain in p_values])
    found = np.full(len(largest), 1, dtype=np.int64)
    order = np.argsort(largest, kind="stable")
    for done, place in enumerate(order.tolist()):
        left = len(largest) - done
        if not reaches(float(largest[place]), alpha, left):
            found[order[done:]] = left
            break
        found[place] = left
    numbers: list[int] = found.tolist()
    return numbers


def corrected(chain: Sequence[float], factor: int) -> list[float]:
    """p of each comparison of a chain, corrected for those before it and for the other chains: it
    shows a difference where that is at most alpha.
    """
    found: list[float] = np.minimum(1.0, np.maximum.accumulate(chain) * factor).tolist()
    return found
