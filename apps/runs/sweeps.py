"""Whether a run has a sweep to draw: parameters with a number that vary while all else is equal."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from apps.runs.models import Run

# More workloads are not looked at to tell.
MOST_WORKLOADS = 200


def swept(run: Run) -> set[str]:
    """The names of the parameters that a run's cases sweep."""
    rows = run.cases.order_by().values_list("tool", "workload__params").distinct()
    alike: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for tool, params in rows[:MOST_WORKLOADS]:
        for name, rest, value in _numbers(params):
            alike[(tool, name, rest)].add(value)
    return {place[1] for place, values in alike.items() if len(values) > 1}


def _numbers(params: dict[str, Any]) -> Iterator[tuple[str, tuple[tuple[str, str], ...], str]]:
    """Each parameter with a number: its name, all the others, its value."""
    pairs = sorted((name, str(value)) for name, value in params.items())
    for name, value in params.items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield name, tuple(pair for pair in pairs if pair[0] != name), str(value)
