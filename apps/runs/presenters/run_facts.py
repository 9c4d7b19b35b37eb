"""Facts of a run and its plan, for its page."""

from __future__ import annotations

import json
from functools import partial
from itertools import starmap
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from apps.common.templatetags.benchlab_format import count, duration, when
from apps.inventory.models import HostPair
from apps.plans.domain.param_text import fields_of, format_param
from apps.plans.schemas.plan import PLAN_SPEC, StepSpec
from apps.runs.models import Purpose, Run, RunTargetMember
from apps.runs.presenters.run_rows import seconds_of
from apps.tools.values import RawValue


def hosts_of(run: Run) -> list[str]:
    """Return the names that the hosts under test had at the launch, each once."""
    rows = RunTargetMember.objects.filter(run_target__run=run).exclude(
        role=RunTargetMember.Role.OSD_HOST
    )
    names = rows.order_by("run_target__position", "position").values_list("host_name", flat=True)
    return list(dict.fromkeys(filter(None, names)))


def run_facts(run: Run) -> list[tuple[str, Any]]:
    """Return label and value of a run's properties: owner, plan, order."""
    imported = run.is_imported
    absent = _("not known") if imported else ""
    return [
        (_("Imported by") if imported else _("Launched by"), run.owner.username),
        (_("Team"), run.team.name if run.team else None),
        (_("Imported") if imported else _("Launched"), when(run.queued_at)),
        (_("Started"), when(run.started_at, absent)),
        (_("Ended"), when(run.finished_at, absent)),
        (_("Took"), duration(seconds_of(run))),
        *(() if imported else _planned(run)),
        (_("Tags"), ", ".join(run.tags) or _("none")),
    ]


def _planned(run: Run) -> list[tuple[str, Any]]:
    spec, wipe = run.spec, run.wipe_confirmed_by
    return [
        (_("Planned time"), duration(run.expected_seconds)),
        (_("Hosts"), ", ".join(hosts_of(run)) or None),
        (_("Repeats"), count(spec.planned_repeats)),
        (_("Order"), spec.order_label),
        (_("Seed of the order"), run.seed),
        (_("Wipe confirmed by"), wipe.username if wipe else _("nobody")),
    ]


def plan_steps(run: Run) -> list[tuple[str, str]]:
    """Return name and parameters of each step."""
    return [
        (
            _step_title(step),
            ", ".join(starmap(partial(_param, step.tool), step.params.items())) or _("defaults"),
        )
        for step in run.spec.steps
    ]


def _step_title(step: StepSpec) -> str:
    title = step.name or step.tool
    return _("background load: %(load)s") % {"load": title} if step.is_background else title


def plan_json(run: Run) -> str:
    """Return the stored spec as indented JSON."""
    return json.dumps(PLAN_SPEC.plain(run.spec), indent=2, ensure_ascii=False)


def targets_in_plan(run: Run) -> list[str]:
    """Return the names of the run's targets."""
    return list(run.targets.order_by("position").values_list("name", flat=True))


def tunings_in_plan(run: Run) -> list[str]:
    """Return the names of the tuning profiles under which the run measures."""
    cases = run.cases.exclude(purpose=Purpose.PRECONDITION).order_by()
    used = Q(pk__in=cases.values("run_tuning")) | Q(pk__in=cases.values("requested_tuning"))
    rows = run.tunings.filter(used).order_by("position")
    return list(rows.values_list("name", flat=True))


def _param(tool: str, name: str, value: RawValue) -> str:
    """Return a parameter as text with its unit; it may no longer be in the tool's form."""
    field = fields_of(tool).get(name)
    if field is None:
        return f"{name} = {value}"
    unit = _(field.unit) if field.unit and field.kind != "size" else ""
    text = format_param(field, value)
    if not text:
        return f"{name}: {_(field.empty_label) if field.empty_label else '–'}"
    return f"{name} = {text} {unit}".rstrip()


def has_pairs(run: Run) -> bool:
    """Return True if the run has host pairs, for the link to the matrix."""
    return run.targets.filter(kind=HostPair.KIND).exists()
