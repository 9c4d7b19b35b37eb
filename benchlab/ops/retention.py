"""The retention table: each model of benchlab, how long its rows stay, and why."""

from __future__ import annotations

from django.db.models import Model

from apps.acceptance.models import Acceptance, AcceptedDisk
from apps.accounts.models import DefaultView, SavedView, Team, User
from apps.accounts.services.retention import RETENTION as ACCOUNTS
from apps.alerts.models import Alert
from apps.alerts.services.retention import RETENTION as ALERTS
from apps.blobs.models import BlobContent, StoreIdentity
from apps.bookings.models import BookingRequest
from apps.bookings.services.retention import RETENTION as BOOKINGS
from apps.common.models import ResultsVersion
from apps.common.services import RetentionRule
from apps.common.services.backups import RETENTION as COMMON
from apps.imports.services.retention import RETENTION as IMPORTS
from apps.inventory import models as inventory
from apps.inventory.services.retention import RETENTION as INVENTORY
from apps.lake.services.records import RETENTION as LAKE
from apps.plans.models import PlanSchedule, PlanTarget, TestPlan, Workload
from apps.plans.services.retention import RETENTION as PLANS
from apps.reports.models import ReportSection, SavedReport
from apps.reports.services import RETENTION as REPORTS
from apps.results import models as results
from apps.results.services.downsampling import RETENTION as RESULTS
from apps.runs import models as runs
from apps.runs.services.retention import RETENTION as RUNS
from apps.tuning.models import TuningProfile

PERIODS: dict[str, tuple[type[Model], ...]] = {
    "one row": (ResultsVersion,),
    "one row a store": (StoreIdentity,),
    "until an admin deletes it": (
        Team,
        inventory.Credential,
        inventory.HostAuthority,
        inventory.CatalogueEntry,
        runs.ApprovalPolicy,
    ),
    "until its owner deletes it": (SavedView,),
    "until its user chooses another one": (DefaultView,),
    "forever, as runs and the audit log name them; an admin deactivates an account": (User,),
    "forever, as results name it": (inventory.Host,),
    "forever, to show who added which hosts": (inventory.HostBatch,),
    "forever, as hosts and pools name it; a distinct one while a host uses it": (
        inventory.CephCluster,
    ),
    "until a user deletes it; one that a plan or run names stays": (
        inventory.Target,
        inventory.Directory,
        inventory.Pool,
        inventory.HostPair,
        inventory.TargetGroup,
    ),
    "forever, as disks and baselines name it": (inventory.DiskModel,),
    "forever, as the record of a delivery": (Acceptance,),
    "with its acceptance": (AcceptedDisk,),
    "with its disk": (inventory.DiskSpecification,),
    "forever, as cases and durations name it; equal parameters share a row": (Workload,),
    "forever, as plans and runs name it; its owner archives it": (TuningProfile,),
    "until its owner or an admin deletes it": (
        TestPlan,
        SavedReport,
        Alert,
        results.Baseline,
    ),
    "until it begins or is cancelled": (BookingRequest,),
    "with its plan": (PlanSchedule, PlanTarget),
    "with its report": (ReportSection,),
    "with its blob": (BlobContent,),
    "forever, as the archive of results; its owner or an admin may delete it": (runs.Run,),
    "with its run": (
        runs.RunTarget,
        runs.RunTargetMember,
        runs.RunTuning,
        runs.RunBackground,
        runs.RunExpectation,
        runs.RunExtension,
        runs.RunApproval,
        runs.Case,
        runs.Attempt,
        runs.AttemptJob,
        runs.AbandonedAttempt,
        results.Measurement,
        results.AttemptCost,
        results.DiskWear,
        results.DisturbanceRecord,
        results.Histogram,
        results.HistogramSeries,
        results.ResultSummary,
    ),
    "with its series": (results.SeriesChunk,),
}
"""Models whose rows no rule deletes, by the reason."""


def retention_table() -> list[RetentionRule]:
    """Return the rule of each model, in the order of their labels."""
    pruned = [
        *ACCOUNTS,
        *ALERTS,
        *BOOKINGS,
        *COMMON,
        *IMPORTS,
        *INVENTORY,
        *LAKE,
        *PLANS,
        *REPORTS,
        *RESULTS,
        *RUNS,
    ]
    fixed = [
        RetentionRule(model=model, period=period)
        for period, models in PERIODS.items()
        for model in models
    ]
    return sorted([*pruned, *fixed], key=lambda rule: rule.model._meta.label)


def documented_table() -> list[str]:
    """Return the lines of the table in docs/operations/retention.md."""
    head = ["| model | kept | applied by | setting |", "|---|---|---|---|"]
    return head + [
        f"| {rule.model._meta.label} | {rule.period} | {_code(rule.task)} | {_code(rule.setting)} |"
        for rule in retention_table()
    ]


def _code(text: str) -> str:
    return f"`{text}`" if "." in text or "_" in text else text
