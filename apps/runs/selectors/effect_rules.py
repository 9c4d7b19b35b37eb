"""What the rules of a run may add to its present cases."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from apps.plans.domain.bisection import MAX_POINTS
from apps.runs.domain.effects import canonical
from apps.runs.models import Run, RunExtension

BYTES_A_SECOND = 1024**3
"""Rate at which each device is assumed to be written where only its speed decides."""


def further_rules(run: Run) -> str:
    """Return the rules that may add cases, as canonical JSON; empty without any."""
    spec = run.spec
    rules: dict[str, Any] = {
        "stopping_rule": spec.stopping_rule,
        "load_search": [spec.load_search_parameter, spec.load_search_max_hours],
        "steady_state": spec.steady_state if spec.steady_state else None,
        "without_tuning": spec.on_tuning_unavailable,
        "blocks": [
            [row.kind, row.first_block, row.last_block, row.max_hours, row.precision_percent]
            for row in run.extensions.filter(kind=RunExtension.Kind.UNTIL).order_by("position")
        ],
    }
    return canonical(rules)


def further_factor(run: Run, blocks: Collection[int]) -> float:
    """Return how many times the present cases may run with the blocks and rounds of rules."""
    if run.spec.steady_state:
        return float(run.spec.steady_state.max_rounds)
    until = run.extensions.filter(kind=RunExtension.Kind.UNTIL).order_by("position").last()
    if until is None or until.last_block not in range(until.first_block, 2**31):
        return 1.0
    present = max(1, len([block for block in blocks if block >= until.first_block]))
    return max(1.0, (until.last_block - until.first_block + 1) / present)


def search_seconds(run: Run, seconds: float) -> float:
    """Return how long a load search may go on, with present cases of so many seconds.

    Without a limit of hours it ends after a number of values.
    """
    if not run.spec.load_search_parameter:
        return 0.0
    hours = run.spec.load_search_max_hours
    by_values = MAX_POINTS * seconds
    return by_values if hours is None else min(by_values, 3600.0 * hours)


def search_bytes(run: Run, written: float, devices: int) -> float:
    """Return how much a load search may write, if present cases write so much to these devices.

    It measures at most MAX_POINTS values. Within a limit of hours it writes to all devices at once.
    """
    if not run.spec.load_search_parameter or not devices:
        return 0.0
    hours = run.spec.load_search_max_hours
    by_values = MAX_POINTS * written
    by_hours = 3600.0 * (hours or 0.0) * BYTES_A_SECOND * devices
    return by_values if hours is None else min(by_values, by_hours)
