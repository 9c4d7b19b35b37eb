"""Retention of raw output, released claims, event logs and heartbeats.

Raw output stays a number of months for the installation, or another number for a team's runs.
Measurements stay, and so do name, size and SHA-256 of a removed file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import Greatest, Now
from django.utils import timezone

from apps.accounts.models import Team
from apps.blobs.models import Blob
from apps.blobs.selectors import blobs_unreferenced
from apps.blobs.services.blobs import blobs_delete_unreferenced
from apps.common.domain.months import months_before
from apps.common.services import Due, RetentionRule, due_rows
from apps.runs.models import FINAL_RUN, Artifact, Claim, Heartbeat, Run, RunEvent
from apps.runs.services.heartbeats import RETENTION as HEARTBEAT_RETENTION
from apps.runs.services.versions import runs_touch

CLAIM_RETENTION = timedelta(days=90)
EVENT_LOG_MONTHS = 24


@dataclass(frozen=True)
class Rule:
    """Raw output is removed `months` after its run ended or was imported.

    `team` is None for runs without a rule of their team.
    """

    months: int
    team: Team | None = None

    def __str__(self) -> str:
        source = f"the rule of team {self.team}" if self.team else "the installation's rule"
        return f"raw output is kept for {self.months} months by {source}"


@dataclass(frozen=True)
class RawOutput:
    """Raw output that a rule removes or removed.

    `size_bytes` is uncompressed; `freed_bytes` counts compressed bytes that no other file shares.
    """

    runs: int = 0
    files: int = 0
    size_bytes: int = 0
    freed_bytes: int = 0

    def __add__(self, other: RawOutput) -> RawOutput:
        return RawOutput(
            self.runs + other.runs,
            self.files + other.files,
            self.size_bytes + other.size_bytes,
            self.freed_bytes + other.freed_bytes,
        )

    def due(self) -> Due:
        """Return the number of files, with their sizes as the remark."""
        size, freed = self.size_bytes / 1e6, self.freed_bytes / 1e6
        text = f"{self.runs} runs, {size:.1f} MB, of which {freed:.1f} MB compressed become free"
        return Due(self.files, text if self.files else "")


def rules() -> list[Rule]:
    """Return the rule of each team that has one, then the installation's."""
    teams = Team.objects.filter(raw_retention_months__isnull=False).order_by("name")
    of_teams = [Rule(team.raw_retention_months or 0, team) for team in teams]
    months = settings.RAW_RETENTION_MONTHS
    return [*of_teams, Rule(months)] if months else of_teams


def runs_of(rule: Rule, now: datetime) -> QuerySet[Run]:
    """Return the ended runs whose raw output the rule removes."""
    ended = Run.objects.filter(state__in=FINAL_RUN)
    ended = ended.annotate(since=Greatest("finished_at", "queued_at"))
    old = ended.filter(since__lt=months_before(now, rule.months))
    if rule.team is not None:
        return old.filter(team=rule.team)
    return old.exclude(team__in=Team.objects.filter(raw_retention_months__isnull=False))


def raw_output_due(rule: Rule) -> RawOutput:
    """Return what the rule would remove now."""
    runs = runs_of(rule, timezone.now()).values("pk")
    files = Artifact.objects.filter(attempt__case__run__in=runs, blob__isnull=False)
    totals = files.aggregate(
        runs=Count("attempt__case__run", distinct=True), files=Count("pk"), size=Sum("size")
    )
    others = Artifact.objects.filter(blob=OuterRef("pk")).exclude(attempt__case__run__in=runs)
    unshared = Blob.objects.filter(Exists(files.filter(blob=OuterRef("pk")))).filter(
        ~Exists(others)
    )
    freed = unshared.aggregate(freed=Sum("compressed_bytes"))["freed"] or 0
    return RawOutput(totals["runs"], totals["files"], totals["size"] or 0, freed)


def raw_output_remove(rule: Rule) -> RawOutput:
    """Remove what the rule no longer keeps, each run in its own transaction."""
    runs = _with_output(runs_of(rule, timezone.now()))
    return sum((_remove(run, rule) for run in runs), RawOutput())


def _with_output(runs: QuerySet[Run]) -> Iterator[int]:
    stored = Artifact.objects.filter(attempt__case__run=OuterRef("pk"), blob__isnull=False)
    yield from list(runs.filter(Exists(stored)).order_by("pk").values_list("pk", flat=True))


def _remove(run: int, rule: Rule) -> RawOutput:
    """Remove the raw output of a run. Its row is locked: a retry waits, and its files stay."""
    with transaction.atomic():
        if not Run.objects.select_for_update().filter(pk=run, state__in=FINAL_RUN).exists():
            return RawOutput()
        files = Artifact.objects.filter(attempt__case__run=run, blob__isnull=False)
        rows = list(files.values_list("pk", "blob_id", "size"))
        changed = Artifact.objects.filter(pk__in=[pk for pk, _blob, _size in rows])
        changed.update(blob=None, removed_at=timezone.now(), removed_by=str(rule))
        runs_touch([run])
    blobs = sorted({blob for _pk, blob, _size in rows if blob is not None})
    freed = blobs_delete_unreferenced(blobs)
    return RawOutput(1, len(rows), sum(size for _pk, _blob, size in rows), freed)


def _all_due() -> Due:
    return sum((raw_output_due(rule) for rule in rules()), RawOutput()).due()


def _all_remove() -> Due:
    return sum((raw_output_remove(rule) for rule in rules()), RawOutput()).due()


def _blobs_due() -> Due:
    return Due(blobs_unreferenced().count())


def _blobs_delete() -> Due:
    ids = list(blobs_unreferenced().values_list("pk", flat=True))
    freed = blobs_delete_unreferenced(ids)
    return Due(len(ids), f"{freed / 1e6:.1f} MB became free" if ids else "")


def claims_due() -> QuerySet[Claim]:
    """Return claims that were released long enough ago."""
    return Claim.objects.filter(released_at__lt=timezone.now() - CLAIM_RETENTION)


def heartbeats_due() -> QuerySet[Heartbeat]:
    """Return heartbeats of processes that ended without deleting theirs."""
    return Heartbeat.objects.filter(last_seen_at__lt=Now() - HEARTBEAT_RETENTION)


def events_due() -> QuerySet[RunEvent]:
    """Return events of runs archived long ago, but the first and the last of each run."""
    before = months_before(timezone.now(), EVENT_LOG_MONTHS)
    same_run = RunEvent.objects.filter(run=OuterRef("run"))
    return RunEvent.objects.filter(
        Exists(same_run.filter(pk__lt=OuterRef("pk"))),
        Exists(same_run.filter(pk__gt=OuterRef("pk"))),
        run__archived_at__lt=before,
    )


def _events_delete() -> Due:
    count = 0
    for run in sorted(set(events_due().order_by().values_list("run", flat=True))):
        with transaction.atomic():
            keys = list(events_due().filter(run=run).values_list("pk", flat=True))
            RunEvent.objects.filter(pk__in=keys).delete()
            runs_touch([run])
        count += len(keys)
    return Due(count)


RETENTION = [
    RetentionRule(
        model=Artifact,
        period=(
            "raw output: by the team's months or the setting, after its run ended; the row stays"
        ),
        task="runs.retention",
        setting="BENCHLAB_RAW_RETENTION_MONTHS",
        due=_all_due,
        apply=_all_remove,
    ),
    RetentionRule(
        model=Blob,
        period="while a row refers to it",
        task="runs.retention",
        due=_blobs_due,
        apply=_blobs_delete,
    ),
    due_rows(Claim, "90 days after its release", claims_due, task="runs.retention"),
    RetentionRule(
        model=RunEvent,
        period="with its run; of a run archived for 24 months the first and the last event",
        task="runs.retention",
        due=lambda: Due(events_due().count()),
        apply=_events_delete,
    ),
    due_rows(Heartbeat, "1 day after the last heartbeat", heartbeats_due, task="each heartbeat"),
]
