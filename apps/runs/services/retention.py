"""The time for which raw output is kept: a number of months for the installation, another one for a
team's runs. What was measured is never removed, and name, size and hash of a removed file stay.
"""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, QuerySet, Sum
from django.db.models.functions import Greatest
from django.utils import timezone

from apps.accounts.models import Team
from apps.blobs.models import Blob
from apps.blobs.services.blobs import blobs_delete_unreferenced
from apps.runs.models import FINAL_RUN, Artifact, Run
from apps.runs.services.versions import runs_touch


@dataclass(frozen=True)
class Rule:
    """Raw output is removed `months` after its run ended or was imported. `team` is None for runs
    that no team's own rule is about.
    """

    months: int
    team: Team | None = None

    def __str__(self) -> str:
        whose = f"the rule of team {self.team}" if self.team else "the installation's rule"
        return f"raw output is kept for {self.months} months by {whose}"


@dataclass(frozen=True)
class Due:
    """The amount that a rule would remove, or removed: runs, files, their bytes, and packed bytes
    that become free.
    """

    runs: int = 0
    files: int = 0
    size: int = 0
    freed: int = 0


def rules() -> list[Rule]:
    """Every rule there is."""
    teams = Team.objects.filter(raw_retention_months__isnull=False).order_by("name")
    found = [Rule(team.raw_retention_months or 0, team) for team in teams]
    return [*found, Rule(settings.KEEP_RAW_MONTHS)] if settings.KEEP_RAW_MONTHS else found


def runs_of(rule: Rule, now: datetime) -> QuerySet[Run]:
    """Ended runs whose raw output the rule no longer keeps."""
    ended = Run.objects.filter(state__in=FINAL_RUN)
    ended = ended.annotate(since=Greatest("finished_at", "queued_at"))
    old = ended.filter(since__lt=months_before(now, rule.months))
    if rule.team is not None:
        return old.filter(team=rule.team)
    return old.exclude(team__in=Team.objects.filter(raw_retention_months__isnull=False))


def months_before(now: datetime, months: int) -> datetime:
    """The same time of day that many months earlier, at the latest on the month's last day."""
    year, month = divmod(now.year * 12 + now.month - 1 - months, 12)
    return now.replace(year=year, month=month + 1, day=min(now.day, monthrange(year, month + 1)[1]))


def due(rule: Rule) -> Due:
    """The amount that the rule would remove now; bytes that other files have too do not become
    free.
    """
    runs = runs_of(rule, timezone.now()).values("pk")
    files = Artifact.objects.filter(attempt__case__run__in=runs, blob__isnull=False)
    told = files.aggregate(
        runs=Count("attempt__case__run", distinct=True), files=Count("pk"), size=Sum("size")
    )
    others = Artifact.objects.filter(blob=OuterRef("pk")).exclude(attempt__case__run__in=runs)
    alone = Blob.objects.filter(Exists(files.filter(blob=OuterRef("pk")))).filter(~Exists(others))
    freed = alone.aggregate(freed=Sum("compressed_bytes"))["freed"] or 0
    return Due(told["runs"], told["files"], told["size"] or 0, freed)


def raw_output_remove(rule: Rule) -> Due:
    """Remove what the rule no longer keeps, a run at a time."""
    done = Due()
    for run in _with_output(runs_of(rule, timezone.now())):
        gone = _remove(run, rule)
        done = Due(
            done.runs + 1, done.files + gone.files, done.size + gone.size, done.freed + gone.freed
        )
    return done


def _with_output(runs: QuerySet[Run]) -> Iterator[int]:
    kept = Artifact.objects.filter(attempt__case__run=OuterRef("pk"), blob__isnull=False)
    yield from list(runs.filter(Exists(kept)).order_by("pk").values_list("pk", flat=True))


def _remove(run: int, rule: Rule) -> Due:
    """The run's row is locked: somebody who retries it waits, and adds files that stay."""
    with transaction.atomic():
        if not Run.objects.select_for_update().filter(pk=run, state__in=FINAL_RUN).exists():
            return Due()
        files = Artifact.objects.filter(attempt__case__run=run, blob__isnull=False)
        rows = list(files.values_list("pk", "blob_id", "size"))
        changed = Artifact.objects.filter(pk__in=[pk for pk, _blob, _size in rows])
        changed.update(blob=None, removed_at=timezone.now(), removed_by=str(rule))
        runs_touch([run])
    blobs = sorted({blob for _pk, blob, _size in rows if blob is not None})
    freed = blobs_delete_unreferenced(blobs)
    return Due(1, len(rows), sum(size for _pk, _blob, size in rows), freed)
