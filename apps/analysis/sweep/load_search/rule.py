"""Stopping rule of a load search: the largest load that meets the expectations of its steps.

The search starts with the values of the step's sweep. After the last block it measures the value
halfway between the largest load that meets all expectations and the smallest that fails, as often
as the plan repeats. It ends when both are adjacent, or at a limit of values or time. Every test,
target and tuning has its own search; all share one block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.analysis.sweep.load_search.findings import search_message
from apps.analysis.sweep.load_search.more_cases import cases_of, expectations_of, workload_with
from apps.analysis.sweep.load_search.search import Search
from apps.analysis.sweep.load_search.selectors import searches_of
from apps.plans.domain.bisection import MAX_POINTS
from apps.runs.models import Run, RunExtension
from apps.runs.selectors.extension_limits import limit_passed
from apps.runs.services.stopping_rules import Extend, Stop
from apps.tools.messages import TranslatableMessage, join_messages, message

NAME = "saturation"


class LoadSearchRule:
    """Stopping rule of a load search; the worker calls it after each block."""

    name = NAME

    def applies(self, run: Run) -> bool:
        return bool(run.spec.load_search_parameter) and not _has_more_repeats(run)

    def decide(self, run: Run) -> Extend | Stop:
        name = run.spec.load_search_parameter
        searches = searches_of(run, name)
        messages = [search_message(one, name, len(searches) > 1) for one in searches]
        next_values = [(one, value) for one in searches if (value := one.next()) is not None]
        next_loads = [
            (one, row)
            for one, value in next_values
            if (row := workload_with(one.like, name, value))
        ]
        if not next_loads or run.extensions.filter(rule=NAME).count() >= MAX_POINTS:
            return Stop(join_messages(*_limit_reason(searches), *messages))
        cases = list(cases_of(run, next_loads))
        if stop := limit_passed(run, cases, run.spec.load_search_max_hours):
            return Stop(join_messages(stop, *messages))
        values = ", ".join(str(value) for value in sorted({value for _one, value in next_values}))
        reason = message("%(load)s %(values)s is measured next", load=name, values=values)
        return Extend(cases, reason, tuple(expectations_of(next_loads)))


def _has_more_repeats(run: Run) -> bool:
    added = run.extensions.filter(position__gt=0)
    return added.exclude(kind=RunExtension.Kind.RULE).exists()


def _limit_reason(searches: Sequence[Search]) -> Iterator[TranslatableMessage]:
    """Of searches that have ended for other reasons than that they found it."""
    if any(one.is_open for one in searches):
        yield message("stopped at the limit of %(values)d values", values=MAX_POINTS)
