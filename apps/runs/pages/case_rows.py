"""Cases and attempts of a run as rows of its page: the table, what runs now, what went wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from apps.common.stored.sentences import said
from apps.common.templatetags.benchlab_badges import status_badge
from apps.common.templatetags.benchlab_format import value_html
from apps.plans.cases.labels import with_tool
from apps.plans.workload_names import workload_name
from apps.runs.models import BAD_CASE, Attempt, AttemptState, CaseState, Run
from apps.runs.pages.advice import advice, fault_words
from apps.runs.pages.case_reading import (
    METRICS,
    ShownAttempts,
    ShownCase,
    ShownFigures,
    StatedMost,
    attempts_of,
    cases_of,
    figures_of,
    most_of,
    silent_of,
)
from apps.runs.selectors import contact_lost_since
from apps.tools.metrics import Metric
from apps.tools.workloads.order import operation_key

NEVER = ShownAttempts(0, None, True, "")
# What the agent is doing (docs/development/agent.md, phase).
PHASES = {
    "tuning": _lazy("lending the tuning's settings"),
    "settling": _lazy("letting the host settle"),
    "ready": _lazy("ready, waiting for the other hosts"),
    "running": _lazy("measuring"),
    "restoring": _lazy("giving the settings back"),
}


@dataclass(frozen=True)
class CaseRow:
    """A case in a run's table. `label` names its workload among the run's. Of its last attempt:
    `operations` and the cells of their `figures`, `is_fine` where it succeeded and all count.
    """

    case: ShownCase
    label: str
    attempts: int
    state: str
    badge: SafeString
    why: str
    operations: SafeString
    figures: SafeString
    is_fine: bool
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


def case_rows(keys: Sequence[int], labels: Mapping[int, str]) -> list[CaseRow]:
    """Rows of cases in the order of their keys. `labels`: what workloads are called here."""
    cases, attempts, figures = cases_of(keys), attempts_of(keys), figures_of(keys)
    most = most_of(keys)
    silent = silent_of(cases)
    rows: list[CaseRow] = []
    group = None
    for case in cases:
        tried = attempts.get(case.pk, NEVER)
        state = "unknown" if case.pk in silent else _state(case, tried)
        found = figures.get(tried.last, [])
        found.sort(key=lambda one: operation_key(case.tool, one.operation))
        rows.append(
            CaseRow(
                case,
                label=labels.get(case.workload_id) or with_tool(case.tool, case.label),
                attempts=tried.number,
                state=state,
                badge=status_badge(state),
                why=_why(case, tried),
                operations=_operations(found),
                figures=_cells(found, case.tool, most, tried.last),
                is_fine=state == CaseState.SUCCEEDED and all(one.valid for one in found),
                starts_group=group != case.alike,
            )
        )
        group = case.alike
    return rows


def _operations(found: Iterable[ShownFigures]) -> SafeString:
    """A line for each operation."""
    return SafeString("".join(_operation(one.operation, one.valid) for one in found))


def _operation(name: str, valid: bool) -> str:
    if valid:
        return f"<div>{escape(name)}</div>"
    said_so = escape(_("not valid"))
    return f'<div>{escape(name)} <span class="text-secondary small">({said_so})</span></div>'


def _cells(
    found: Sequence[ShownFigures], tool: str, most: Mapping[Any, StatedMost], attempt: object
) -> SafeString:
    """A cell for each metric, with a line for each operation, and the most below the mean."""
    cells = (
        "".join(
            f"<div>{value_html(metric, one.figures[place], tool)}</div>"
            f"{_most(most.get((attempt, one.operation, metric.key)), metric, tool)}"
            for one in found
        )
        for place, metric in enumerate(METRICS)
    )
    return SafeString("".join(f'<td class="num">{lines}</td>' for lines in cells))


def _most(found: StatedMost | None, metric: Metric, tool: str) -> str:
    if found is None:
        return ""
    words = escape(_("most in %(window)s s") % {"window": f"{found.window:g}"})
    windows = escape(_("of %(number)s windows") % {"number": f"{found.windows:,}"})
    value = value_html(metric, found.most, tool)
    return f'<div class="small text-secondary" title="{windows}">{words} {value}</div>'


def _state(case: ShownCase, tried: ShownAttempts) -> str:
    return "invalid" if case.state == CaseState.SUCCEEDED and not tried.valid else case.state


def _why(case: ShownCase, tried: ShownAttempts) -> str:
    parts = [said(case.reason or tried.invalid_reason), fault_words(case.fault)]
    return " – ".join(part for part in parts if part)


def now_rows(attempts: Iterable[Attempt], labels: Mapping[int, str]) -> list[NowRow]:
    """Attempts that run now, host by host."""
    return [
        NowRow(
            one,
            labels.get(one.case.workload_id) or workload_name(one.case.workload),
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
