"""Report of the demonstration, on its owner's home page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from apps.accounts.models import User
from apps.reports.models import SavedReport
from apps.reports.services import ReportDraft, SectionDraft, report_create, report_update
from apps.runs.models import Run

TITLE = "Demonstration"
TEXT = """\
Measured on this machine with tests of **one second**: long enough to show benchlab, too short to
judge a disk.

- *Which tuning matters*: each test is repeated in blocks, and every difference has a verdict.
- *How deep a queue*: random reads at each depth, and from which depth only latency grows.
- *Beside an earlier result*: the same test, done by hand on another machine and imported.
"""


@dataclass(frozen=True)
class Runs:
    """Runs of the demonstration, and the factor of the first comparison."""

    tunings: Run
    factor: str
    depths: Run
    earlier: Run


def questions(runs: Runs) -> Mapping[str, tuple[str, str]]:
    """Return (view, query) by section title."""
    compared = {"run": runs.tunings.pk, "factor": runs.factor}
    both = [("run", runs.depths.pk), ("run", runs.earlier.pk), ("factor", "host")]
    return {
        "Which tuning matters": (
            "compare", urlencode(compared)
        ),
        "How deep a queue": ("sweep", urlencode({"run": runs.depths.pk, "x": "iodepth"})),
        "Beside an earlier result": ("compare", urlencode(both)),
    }  # fmt: skip


def demo_report(user: User, runs: Runs) -> SavedReport:
    """Return the report, created or updated for these runs."""
    sections = [
        SectionDraft(title=title, view=view, query=query)
        for title, (view, query) in questions(runs).items()
    ]
    draft = ReportDraft(
        title=TITLE, text=TEXT, dashboard_scope=SavedReport.DashboardScope.OWNER, sections=sections
    )
    existing = SavedReport.objects.filter(title=TITLE, owner=user, frozen_at=None).first()
    if existing is not None:
        return report_update(report=existing, user=user, draft=draft)
    return report_create(user=user, draft=draft)
