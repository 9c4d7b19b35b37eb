"""Kinds of repeats as rows of a form: each workload, operation, target and level once. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from apps.analysis.repeats.grid import Result
from apps.analysis.repeats.levels import Levels, place_label
from apps.analysis.repeats.repeats import Flags, Ints, Repeats


@dataclass(frozen=True)
class RepeatKind(Result):
    """Kind of repeats; `tuning` is the level of any factor.

    `number`: its index in `RepeatKinds.found`; `where`: host and target without the factor.
    """

    number: int
    where: str
    point: int


@dataclass(frozen=True)
class RepeatKinds:
    """Kinds; `of`: each repeat's kind."""

    found: tuple[RepeatKind, ...]
    of: Ints

    def rows(self, kinds: Iterable[RepeatKind]) -> Ints:
        """Return the repeats of these kinds, in the order of measurement."""
        mask: Flags = np.isin(self.of, [kind.number for kind in kinds])
        return np.flatnonzero(mask)


def kinds_of(repeats: Repeats, levels: Levels, factor: str) -> RepeatKinds:
    """Return the kinds of these repeats."""
    if not len(repeats):
        return RepeatKinds((), np.empty(0, np.int64))
    codes = np.stack([repeats.point, repeats.operation, repeats.conditions, levels.of], axis=1)
    result, of = np.unique(codes, axis=0, return_inverse=True)
    kinds = []
    for number, (point, operation, conditions, level) in enumerate(result.tolist()):
        workload, here = repeats.points[point], repeats.shared[conditions]
        kinds.append(
            RepeatKind(
                case=0,
                tool=workload.tool,
                operation=repeats.operations[operation],
                params=workload.params,
                tuning=levels.labels[level],
                target=here.target_label,
                values={},
                number=number,
                where=place_label(here, factor),
                point=point,
            )
        )
    return RepeatKinds(tuple(kinds), of.reshape(-1))
