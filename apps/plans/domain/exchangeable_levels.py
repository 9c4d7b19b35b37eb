"""Exchangeable levels: levels of the compared factor that are shuffled inside a block.

A randomisation test permutes the levels inside a block, so they must be in random order there.
Tuning profiles always are; targets, hosts and values of a swept parameter are only if the plan
compares them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from apps.plans.schemas.factors import HOST, PARAM, TARGET
from apps.tools.added_params import tool_params
from apps.tools.params import canonical_key
from apps.tools.values import Parameters

AnyCase = TypeVar("AnyCase")


def permutation_key(
    factor: str, step: Hashable, tool: str, params: Parameters, target: Hashable
) -> Hashable:
    """Return the permutation key of a workload on a target.

    Cases with equal keys are shuffled within a block; those beside background loads always are.
    """
    without = factor.removeprefix(PARAM) if factor.startswith(PARAM) else ""
    rest = {name: value for name, value in tool_params(params).items() if name != without}
    return step, tool, canonical_key(rest), None if factor in (TARGET, HOST) else target


def permutation_groups(
    cases: Iterable[AnyCase], key: Callable[[AnyCase], Hashable]
) -> list[list[AnyCase]]:
    """Group cases by key, in the order of each group's first."""
    groups: dict[Hashable, list[AnyCase]] = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return list(groups.values())


def max_levels(groups: Iterable[Sequence[AnyCase]], level: Callable[[AnyCase], Hashable]) -> int:
    """Return the largest number of levels in a group."""
    return max((len({level(case) for case in group}) for group in groups), default=0)
