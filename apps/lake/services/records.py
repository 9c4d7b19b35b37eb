"""Records of exports. The newest NEWEST stay, and the last that succeeded."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.common.services import due_rows
from apps.lake.domain.manifest import LakeFile
from apps.lake.models import LakeExport
from apps.lake.selectors.exports import exports_succeeded
from apps.tools.messages import message

NEWEST = 20


@transaction.atomic
def export_start(*, location: str, people: bool, version: str) -> LakeExport:
    """Record the start of an export and delete the oldest records."""
    row = LakeExport.objects.create(location=location[:500], people=people, version=version)
    exports_due().delete()
    return row


def unended_fail(row: LakeExport) -> None:
    """Record that earlier exports to the location of `row`, which writes alone now, were killed."""
    earlier = LakeExport.objects.filter(location=row.location, ended_at=None, pk__lt=row.pk)
    earlier.update(error=message("The export did not end."), ended_at=timezone.now())


def export_end(row: LakeExport, *, months: int, files: Sequence[LakeFile]) -> None:
    """Record what an export wrote."""
    row.months, row.files = months, len(files)
    row.rows = sum(file.rows for file in files)
    row.size_bytes = sum(file.bytes for file in files)
    row.ended_at, row.error = timezone.now(), ""
    row.save()


def export_fail(row: LakeExport, error: str) -> None:
    """Record why an export failed."""
    row.error, row.ended_at = error, timezone.now()
    row.save()


def exports_due() -> QuerySet[LakeExport]:
    """Return all records but the newest and the last that succeeded."""
    newest = LakeExport.objects.order_by("-pk").values("pk")[:NEWEST]
    last = exports_succeeded().values("pk")[:1]
    return LakeExport.objects.exclude(pk__in=newest).exclude(pk__in=last)


RETENTION = [
    due_rows(
        LakeExport,
        f"the newest {NEWEST}, and the last that succeeded",
        exports_due,
        task="each new row",
    )
]
