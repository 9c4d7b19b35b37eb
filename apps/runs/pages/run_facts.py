"""Facts of a run and its frozen plan, for its page."""

from __future__ import annotations

import json
from functools import partial
from itertools import starmap
from typing import Any

from django.utils.translation import gettext as _

from apps.common.templatetags.benchlab_format import count, duration, when
from apps.plans.contract import STORED
from apps.plans.form.written import as_text, fields_of
from apps.runs.models import Run
from apps.runs.pages.run_rows import seconds_of
from apps.tools.values import RawValue


def hosts_of(run: Run) -> list[str]:
    """The hosts of the frozen plan, by the names they had, each once."""
    hosts = (host for target in run.plan_copy.targets for host in target.all_hosts)
    return list(dict.fromkeys(host.name for host in hosts if host.name))


def run_facts(run: Run) -> list[tuple[str, Any]]:
    """Rows about a run's launch: owner, plan, order."""
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
        (_("Note"), run.note or _("none")),
    ]


def _planned(run: Run) -> list[tuple[str, Any]]:
    copy, wipe = run.plan_copy, run.wipe_confirmed_by
    return [
        (_("Planned time"), duration(run.expected_seconds)),
        (_("Hosts"), ", ".join(hosts_of(run)) or None),
        (_("Repeats"), count(copy.repeats)),
        (_("Order"), _order(copy.order)),
        (_("Seed of the order"), copy.seed),
        (_("Wipe confirmed by"), wipe.username if wipe else _("nobody")),
    ]


def _order(order: str) -> str | None:
    words = {"listed": _("as listed"), "interleaved": _("interleaved in random blocks")}
    return words.get(order, order) or None


def plan_steps(run: Run) -> list[tuple[str, str]]:
    """(name, parameters as text) of the frozen plan's steps."""
    return [
        (
            step.name or step.tool,
            ", ".join(starmap(partial(_param, step.tool), step.params.items()))
            or _("all as usual"),
        )
        for step in run.plan_copy.steps
    ]


def plan_json(run: Run) -> str:
    """The frozen copy as it is kept."""
    return json.dumps(STORED.plain(run.plan_copy), indent=2, ensure_ascii=False)


def targets_in_plan(run: Run) -> list[str]:
    """The labels of the frozen plan's targets."""
    return [target.label for target in run.plan_copy.targets]


def tunings_in_plan(run: Run) -> list[str]:
    """The names of the frozen plan's tunings."""
    return [tuning.name for tuning in run.plan_copy.tunings]


def _param(tool: str, name: str, value: RawValue) -> str:
    """A parameter as it was written, with its unit; the copy may be older than the tool's form."""
    field = fields_of(tool).get(name)
    if field is None:
        return f"{name} = {value}"
    unit = _(field.unit) if field.unit and field.kind != "size" else ""
    text = as_text(field, value)
    if not text:
        return f"{name}: {_(field.absent) if field.absent else '–'}"
    return f"{name} = {text} {unit}".rstrip()


def has_pairs(run: Run) -> bool:
    """Whether hosts are measured against each other, so that there is a matrix of them."""
    return any(target.kind == "pair" for target in run.plan_copy.targets)
