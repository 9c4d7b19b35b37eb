"""The query of a section as text, and the page that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.reports.models import ReportSection

LABELS = {
    "after": gettext_lazy("From (UTC)"),
    "baseline": gettext_lazy("Baseline"),
    "before": gettext_lazy("Before (UTC)"),
    "case": gettext_lazy("Cases"),
    "disk": gettext_lazy("Disks"),
    "factor": gettext_lazy("Compare by"),
    "host": gettext_lazy("Hosts"),
    "metric": gettext_lazy("Metrics"),
    "operation": gettext_lazy("Operation"),
    "param": gettext_lazy("Parameter"),
    "plan": gettext_lazy("Plan"),
    "pool": gettext_lazy("Pools"),
    "run": gettext_lazy("Runs"),
    "tag": gettext_lazy("Tag"),
    "target": gettext_lazy("Target"),
    "tool": gettext_lazy("Tool"),
    "tuning": gettext_lazy("Tuning"),
    "workload": gettext_lazy("Workload key"),
    "x": gettext_lazy("Parameter"),
}
"""Labels of the parameters of queries; another parameter is shown by its name."""
NUMBERED = frozenset({"run", "case", "plan"})


@dataclass(frozen=True)
class SectionQuery:
    """Choices of a section as (label, values); `address`: the page with them, "" without one."""

    choices: tuple[tuple[str, str], ...]
    address: str


def section_query(section: ReportSection) -> SectionQuery:
    """Return the choices of a section; none for a text."""
    query = QueryDict(section.query)
    choices = (
        (str(LABELS.get(name, name)), ", ".join(_value(name, value) for value in values))
        for name, values in query.lists()
    )
    return SectionQuery(tuple(choices), _address(section) if section.view else "")


def _value(name: str, value: object) -> str:
    if name in NUMBERED:
        return f"#{value}"
    return str(value) or _("any")


def _address(section: ReportSection) -> str:
    try:
        page = reverse(section.view.replace("-", "_"))
    except NoReverseMatch:  # a table of one run, which stands on the run's page
        return ""
    return f"{page}?{section.query}"
