"""Levels that are exchanged inside a block: those of the factor that a plan decides between.

A verdict asks in how many orders of a block its two sides would lie as far apart. So the levels
must have come in random order there: those of tunings always do, targets, hosts and the values of a
swept parameter only where a plan decides between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from apps.plans.schemas.factors import HOST, PARAM, TARGET
from apps.tools.params import canonical_key
from apps.tools.values import Parameters

Test = TypeVar("Test")


def permutation_key(
    factor: str, step: Hashable, tool: str, params: Parameters, target: Hashable
) -> Hashable:
    """Of one test (a workload on a target): equal for those that are exchanged with each other."""
    without = factor.removeprefix(PARAM) if factor.startswith(PARAM) else ""
    rest = {name: value for name, value in params.items() if name != without}
    return step, tool, canonical_key(rest), None if factor in (TARGET, HOST) else target


def permutation_groups(tests: Iterable[Test], key: Callable[[Test], Hashable]) -> list[list[Test]]:
    """Tests in groups of those with one key, in the order of each group's first."""
    found: dict[Hashable, list[Test]] = defaultdict(list)
    for test in tests:
        found[key(test)].append(test)
    return list(found.values())


def most_levels(groups: Iterable[Sequence[Test]], level: Callable[[Test], Hashable]) -> int:
    """The most levels that any group has."""
    return max((len({level(test) for test in group}) for group in groups), default=0)
