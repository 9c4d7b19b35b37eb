"""Recommended repeats of a plan, from the noise of earlier results of its hosts and tools."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from django.db.models import Q

from apps.common.domain.value_format import format_change
from apps.plans.domain.blocks import block_sizes
from apps.plans.domain.restarts import shares_restarts
from apps.plans.domain.stopping_rule_checks import tests_compared
from apps.plans.models import TestPlan
from apps.plans.schemas.factors import TUNING
from apps.plans.selectors.plans import plan_data, plan_preview
from apps.results.models import ResultSummary
from apps.stats.null_distributions import Floats, Ints
from apps.stats.power import noise_of, repeats_needed

EFFECT = 0.05
"""Effect to detect with 95 % power."""


MAX_RESULTS = 5_000
"""Limit of results: the newest."""


MIN_TESTS = 1


QUANTILE = 0.75
"""Quantile of the noises of many tests, so that the advice fits most of them."""


@dataclass(frozen=True)
class RecommendedRepeats:
    """Recommended repeats of a plan.

    `noise`: standard deviation of a repeat (a share) on these hosts with these tools, None if
    unknown; `tests`: workloads on targets; `levels`: compared levels in each; `repeats`: None for
    more than a thousand, or if unknown.
    """

    tests: int
    levels: int
    noise: float | None
    repeats: int | None
    planned: int

    @property
    def effect_text(self) -> str:
        return format_change(1 + EFFECT).lstrip("+")

    @property
    def noise_text(self) -> str:
        return format_change(1 + self.noise).lstrip("+") if self.noise is not None else ""

    @property
    def enough(self) -> bool:
        return self.repeats is not None and self.planned >= self.repeats


def recommended_repeats(plan: TestPlan) -> RecommendedRepeats:
    """Return the repeats that detect a 5 % difference between two levels with 95 % power."""
    data, preview = plan_data(plan), plan_preview(plan)
    measuring = [case for case in preview.cases if case.step is not None]
    factor = data.spec.stopping_rule.factor if data.spec.stopping_rule else TUNING
    tests, levels = tests_compared(measuring, factor)
    tests = max(MIN_TESTS, tests)
    if factor == TUNING:  # also of a plan that has no target yet
        levels = len(data.all_tunings)
    noise = _noise({t.host_id for t in data.targets}, {step.tool for step in data.spec.steps})
    repeats = None
    if noise is not None and levels > 1:
        shares = shares_restarts(data)
        sizes = partial(block_sizes, tests=tests, tunings=levels, shares_restarts=shares)
        repeats = repeats_needed(EFFECT, noise, tests * (levels - 1), sizes)
    return RecommendedRepeats(tests, levels, noise, repeats, data.spec.planned_repeats)


def _noise(hosts: Iterable[int], tools: Iterable[str]) -> float | None:
    """Return the 75 % quantile of the noise of earlier tests of these tools on these hosts.

    Measured by IOPS (else bandwidth) between repeats of one run, under one tuning, inside a block.
    """
    rows = ResultSummary.objects.filter(
        Q(iops__gt=0) | Q(bandwidth__gt=0), host__in=list(hosts), workload__tool__in=list(tools),
        is_comparable=True,
    ).order_by("-measured_at")  # fmt: skip
    columns = "run_id", "run_target_id", "workload_id", "run_tuning_id", "operation"
    groups: dict[tuple[object, ...], list[tuple[float, int]]] = defaultdict(list)
    for *key, iops, bandwidth, block in rows.values_list(*columns, "iops", "bandwidth", "block")[
        :MAX_RESULTS
    ]:
        groups[tuple(key)].append((iops or bandwidth, block))
    result = [_group_noise(group) for group in groups.values()]
    noises = [noise for noise in result if noise is not None]
    return float(np.quantile(noises, QUANTILE)) if noises else None


def _group_noise(group: list[tuple[float, int]]) -> float | None:
    values: Floats = np.array([value for value, _block in group])
    blocks: Ints = np.array([block for _value, block in group])
    inside = noise_of([values], [blocks])
    return noise_of([values]) if inside is None else inside
