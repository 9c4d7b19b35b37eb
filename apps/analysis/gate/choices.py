"""What a run can be gated against, as the page offers it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from django.utils.translation import gettext as _

from apps.analysis.gate.query import Against
from apps.analysis.queries.comparison_query import is_id
from apps.plans.domain.param_text import param_label, value_text
from apps.plans.models import Workload
from apps.results.selectors.baselines import baselines_for_runs
from apps.runs.models import FINAL_RUN, Run
from apps.runs.selectors.runs import measured_workloads
from apps.tools.workloads.varying import varying
from apps.tuning.domain.baseline import tuning_label

MAX_RUNS = 20
MAX_VALUES = 20


def against_choices(run: Run) -> list[tuple[str, str]]:
    """Return (value, label) of the baselines, tunings, runs and values that the run may meet."""
    names = dict.fromkeys(one.name for one in baselines_for_runs([run.pk])[:MAX_RUNS])
    result = [
        (f"{Against.BASELINE}:{name}", _("Baseline: {name}").format(name=name)) for name in names
    ]
    tunings = list(run.tunings.order_by("position").values_list("name", flat=True))
    if len(tunings) > 1:
        result += [
            (f"{Against.TUNING}:{name}", _("Tuning: {name}").format(name=tuning_label(name)))
            for name in tunings
        ]
    result += list(islice(_values(run), MAX_VALUES))
    rows = Run.objects.filter(plan=run.plan_id, state__in=FINAL_RUN).exclude(pk=run.pk)
    rows = rows if run.plan_id else rows.none()
    for other in rows.only("name").order_by("-pk")[:MAX_RUNS]:
        result.append((f"{Against.RUN}:{other.pk}", _("Run: {name}").format(name=other)))
    return result


def chosen_label(text: str) -> str:
    """Return the label of a chosen value that is not among those offered."""
    kind, _colon, name = text.partition(":")
    if kind == Against.TUNING:
        return _("Tuning: {name}").format(name=tuning_label(name))
    other = Run.objects.filter(pk=int(name)).first() if is_id(name) else None
    return _("Run: {name}").format(name=other) if kind == Against.RUN and other else text


def _values(run: Run) -> Iterator[tuple[str, str]]:
    """Yield the values of swept numbers."""
    rows = Workload.objects.filter(pk__in=measured_workloads(run)).values_list("tool", "params")
    workloads = [(tool, params) for tool, params in rows]
    for name, one in varying(workloads).items():
        tool = next(tool for tool, params in workloads if name in params)
        for value in one.values:
            text = f"{param_label(tool, name)} {value_text(tool, name, value)}"
            yield f"{Against.PARAM}:{name}={value}", text
