"""Headline verdicts of all pairs in columns, from which the few that are named are taken."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from apps.analysis.compare.stats.nulls import Floats, Ints
from apps.common.verdicts import VerdictKind

_NAMES = list(VerdictKind)


@dataclass(frozen=True)
class HeadVerdicts:
    """`kind`: the place of each pair's verdict in VerdictKind; `ratio`: its estimate, NaN where it
    has no figure.
    """

    kind: Ints
    ratio: Floats

    def count(self, kind: VerdictKind) -> int:
        """The number of pairs with this verdict."""
        return int(np.count_nonzero(self.kind == _NAMES.index(kind)))

    def places(self, kinds: Collection[VerdictKind]) -> list[int]:
        """Places of the pairs with one of these verdicts, in their order."""
        wanted = np.isin(self.kind, [_NAMES.index(kind) for kind in kinds])
        found: list[int] = np.flatnonzero(wanted).tolist()
        return found

    def largest(self, kinds: Collection[VerdictKind], most: int) -> list[int]:
        """Places of those that changed most, the largest change first. A ratio without a figure
        (one side measured zero) is larger than any.
        """
        places = np.array(self.places(kinds), dtype=np.int64)
        with np.errstate(divide="ignore"):
            size = np.nan_to_num(np.abs(np.log(self.ratio[places])), nan=np.inf)
        found: list[int] = places[np.argsort(-size, kind="stable")][:most].tolist()
        return found
