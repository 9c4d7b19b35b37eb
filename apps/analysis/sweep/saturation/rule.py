"""The rule of runs that look for the largest load at which what their steps expect still holds.

A step's sweep over the load is where the search begins; behind its last block the value halfway
between the largest at which everything held and the smallest at which it did not is measured, as
often as the plan repeats, until the two lie next to each other. Every test, target and tuning is
searched for itself, all of them in one block.
"""

from __future__ import annotations

from apps.analysis.sweep.saturation.more_cases import cases_of, expectations_of, workload_with
from apps.analysis.sweep.saturation.reading import searches_of
from apps.analysis.sweep.saturation.said import search_said
from apps.plans.expectations.halving import MOST_POINTS
from apps.runs.models import Run
from apps.runs.more_repeats.going_on import Enough, OneMore
from apps.tools.sentences import joined, sentence

NAME = "saturation"


class SaturationRule:
    """Asked by the worker after each block (`more_repeats.going_on`)."""

    name = NAME

    def applies(self, run: Run) -> bool:
        return bool(run.plan_copy.saturates) and not run.additions.exists()

    def answer(self, run: Run) -> OneMore | Enough:
        name = run.plan_copy.saturates
        searches = searches_of(run, name)
        wanted = [(one, value) for one in searches if (value := one.next()) is not None]
        if run.decisions.filter(rule=NAME).count() >= MOST_POINTS:
            wanted = []
        made = [
            (one, row) for one, value in wanted if (row := workload_with(one.like, name, value))
        ]
        if not made:
            said = (search_said(one, name, len(searches) > 1) for one in searches)
            return Enough(joined(*said))
        cases = list(cases_of(run, made))
        values = ", ".join(str(value) for value in sorted({value for _one, value in wanted}))
        reason = sentence("%(load)s %(values)s is measured next", load=name, values=values)
        return OneMore(cases, reason, tuple(expectations_of(made)))
