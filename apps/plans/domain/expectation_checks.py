"""Problems of expectations, found before they are saved."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from apps.plans.domain.expectation_verdicts import RATES
from apps.plans.domain.value_parser import EXPECTED, MOST
from apps.plans.schemas.expectations import Expectation
from apps.plans.schemas.plan import StepSpec
from apps.plans.schemas.planned import Problem
from apps.tools.registry import TOOLS

_METRICS = {metric.key for metric in EXPECTED}


def expectation_problems(steps: Sequence[StepSpec]) -> Iterator[Problem]:
    """Yield problems of the steps' expectations."""
    for index, step in enumerate(steps):
        if len(step.expectations) > MOST:
            text = _("A step has at most %(most)s expectations.") % {"most": MOST}
            yield Problem(text, index, "expectations")
        for expected in step.expectations:
            for text in expectation_faults(step.tool, expected):
                yield Problem(text, index, "expectations")


def expectation_faults(tool: str, expected: Expectation) -> Iterator[str]:
    """Yield what is wrong with one expectation; `tool` may be empty."""
    if expected.metric not in _METRICS:
        yield _("Nothing can be expected of “%(metric)s”.") % {"metric": expected.metric}
        return
    value = expected.value
    if value is None and not _is_looked_up(expected):
        yield _("An expectation needs a value.")
    if value is not None and not (value > 0 and math.isfinite(value)):
        yield _("An expected value is above zero.")
    if not 0 <= expected.tolerance < 100:
        yield _("A tolerance is from 0 to less than 100 %.")
    plugin = TOOLS.get(tool)
    if expected.operation and plugin is not None and expected.operation not in plugin.operations:
        yield _("%(tool)s has no operation %(name)s; it has %(known)s.") % {
            "tool": plugin.label,
            "name": expected.operation,
            "known": ", ".join(plugin.operations),
        }


def _is_looked_up(expected: Expectation) -> bool:
    """Return True if the value may come from the disk's specification."""
    if expected.source == "provider":
        return expected.metric in RATES
    return expected.source == "model" and expected.metric == "iops"
