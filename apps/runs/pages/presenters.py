"""Runs and cases as rows for the pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import starmap
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.stored.sentences import said
from apps.common.templatetags.benchlab_format import count, duration, when
from apps.plans.contract import STORED
from apps.plans.form.written import as_text, fields_of
from apps.runs.live.progress import Progress, done_counts
from apps.runs.models import BAD_CASE, Attempt, AttemptState, Case, CaseState, Run
from apps.runs.pages.advice import advice, fault_words
from apps.runs.selectors import contact_lost_since, hosts_met
from apps.tools.values import RawValue
from apps.tools.workloads.order import operation_key

# What the agent is doing (docs/development/agent.md, phase).
PHASES = {
    "tuning": _lazy("lending the tuning's settings"),
    "settling": _lazy("letting the host settle"),
    "ready": _lazy("ready, waiting for the other hosts"),
    "running": _lazy("measuring"),
    "restoring": _lazy("giving the settings back"),
}
SEGMENTS = {
    "measured": _lazy("%(number)s measured"),
    "ended": _lazy("%(number)s ended"),
    "failed": _lazy("%(number)s failed"),
    "lost": _lazy("%(number)s lost"),
    "unproven": _lazy("%(number)s given up, unproven"),
    "cancelled": _lazy("%(number)s cancelled"),
    "skipped": _lazy("%(number)s not needed"),
    "open": _lazy("%(number)s to come"),
}


@dataclass(frozen=True)
class Segment:
    """A part of a bar: what it stands for, and its share of the whole."""

    name: str
    percent: float


@dataclass(frozen=True)
class Bar:
    """Progress as a bar: segments, what they say together, and how much was tried to its end."""

    segments: tuple[Segment, ...]
    words: str
    percent: float


@dataclass(frozen=True)
class RunRow:
    """A run in a list."""

    run: Run
    hosts: str
    done: int
    seconds: float | None

    @property
    def state(self) -> str:
        return "cancelling" if self.run.is_cancelling else self.run.state

    @property
    def bar(self) -> Bar:
        return bar_of({"ended": self.done}, self.run.case_count)


@dataclass(frozen=True)
class CaseRow:
    """A case in a run's table. `label` names its workload among the run's; `figures` are the
    measurements of its last attempt."""

    case: Case
    label: str
    attempts: int
    state: str
    why: str
    figures: list[Any]
    starts_group: bool


@dataclass(frozen=True)
class NowRow:
    """An attempt that is being executed. `unknown_since`: nothing was heard from its host since
    then.
    """

    attempt: Attempt
    label: str
    unknown_since: datetime | None

    @property
    def state(self) -> str:
        return "unknown" if self.unknown_since else "running"

    @property
    def doing(self) -> str:
        """The act of the host just now, in words."""
        if self.attempt.state == AttemptState.RUNNING and self.attempt.phase in PHASES:
            return str(PHASES[self.attempt.phase])
        return str(self.attempt.get_state_display())

    @property
    def doing_for(self) -> float | None:
        """Seconds since that began, as far as it is known."""
        since = self.attempt.phase_since
        if since is None or self.attempt.state != AttemptState.RUNNING:
            return None
        return max(0.0, (timezone.now() - since).total_seconds())


def bar_of(numbers: Mapping[str, int], total: int) -> Bar:
    """A bar of cases by what became of them (the names of SEGMENTS); what is left over is to
    come.
    """
    told = {**numbers, "open": max(0, total - sum(numbers.values()))}
    words = ", ".join(str(SEGMENTS[name]) % {"number": n} for name, n in told.items() if n)
    whole = max(total, 1)
    shown = [Segment(name, 100.0 * n / whole) for name, n in numbers.items() if n]
    tried = sum(n for name, n in numbers.items() if name not in ("cancelled", "skipped"))
    return Bar(tuple(shown), words, 100.0 * tried / whole)


def progress_bar(progress: Progress) -> Bar:
    """A run's progress as a bar."""
    numbers = {
        "measured": progress.succeeded,
        "failed": progress.failed,
        "lost": progress.lost,
        "unproven": progress.unproven,
        "cancelled": progress.cancelled,
        "skipped": progress.skipped,
    }
    return bar_of(numbers, progress.total)


def run_rows(runs: list[Run]) -> list[RunRow]:
    """Rows of the list of runs: one query for their hosts, one for those that have not ended."""
    done = done_counts(runs)
    met = hosts_met(runs)
    return [
        RunRow(
            run,
            ", ".join(met.get(run.pk, ())),
            done.get(run.pk, run.case_count),
            seconds_of(run),
        )
        for run in runs
    ]


def seconds_of(run: Run) -> float | None:
    """Seconds an ended run took."""
    if run.started_at is None or run.finished_at is None:
        return None
    return (run.finished_at - run.started_at).total_seconds()


def hosts_of(run: Run) -> list[str]:
    """The hosts of the frozen plan, by the names they had, each once."""
    hosts = (host for target in run.plan_copy.targets for host in target.all_hosts)
    return list(dict.fromkeys(host.name for host in hosts if host.name))


def case_rows(cases: Iterable[Case], labels: Mapping[int, str]) -> list[CaseRow]:
    """Rows of `cases_shown`. `labels`: what workloads are called here, by id."""
    rows: list[CaseRow] = []
    group = None
    for case in cases:
        last = max(case.attempts.all(), key=lambda attempt: attempt.number, default=None)
        found = [row for row in _measured(case) if last is not None and row.attempt_id == last.pk]
        rows.append(
            CaseRow(
                case,
                label=labels.get(case.workload_id, case.workload.label),
                attempts=len(case.attempts.all()),
                state=_state(case, last),
                why=_why(case, last),
                figures=sorted(found, key=lambda row: operation_key(case.tool, row.operation)),
                starts_group=group != _group(case),
            )
        )
        group = _group(case)
    return rows


def _measured(case: Case) -> list[Any]:
    # Results are an app above this one; it is met through the relation only.
    measured: Any = case
    return [row for row in measured.measurements.all() if not row.part]


def _group(case: Case) -> tuple[Any, ...]:
    return (case.step_name, case.workload_id, case.run_target_id)


def _state(case: Case, last: Attempt | None) -> str:
    if case.state == CaseState.SUCCEEDED and last is not None and not last.valid:
        return "invalid"
    if case.state == CaseState.RUNNING and last is not None and contact_lost_since(last):
        return "unknown"
    return case.state


def _why(case: Case, last: Attempt | None) -> str:
    parts = [said(case.reason or (last.invalid_reason if last else "")), fault_words(case.fault)]
    return " – ".join(part for part in parts if part)


def now_rows(attempts: Iterable[Attempt], labels: Mapping[int, str]) -> list[NowRow]:
    """Attempts that run now, host by host."""
    return [
        NowRow(
            one,
            labels.get(one.case.workload_id, one.case.workload.label),
            contact_lost_since(one),
        )
        for one in attempts
    ]


def fault_rows(run: Run) -> list[tuple[str, str, str, int]]:
    """(reason, whose fault, what to do, cases) for what went wrong in a run, the most frequent
    first. One query.
    """
    tally: dict[tuple[str, str, str], int] = {}
    bad = run.cases.filter(state__in=BAD_CASE)
    for state, reason, fault in bad.values_list("state", "reason", "fault")[:2_000]:
        mark = (reason, fault_words(fault), advice(state, fault))
        tally[mark] = tally.get(mark, 0) + 1
    ordered = sorted(tally.items(), key=lambda item: -item[1])[:5]
    return [(*mark, number) for mark, number in ordered]


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
    return f"{name} = {as_text(field, value)} {unit}".rstrip()


def has_pairs(run: Run) -> bool:
    """Whether hosts are measured against each other, so that there is a matrix of them."""
    return any(target.kind == "pair" for target in run.plan_copy.targets)
