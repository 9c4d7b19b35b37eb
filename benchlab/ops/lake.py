"""Exports of the lake, for the page *System* and the doctor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.lake.models import LakeExport
from apps.lake.selectors.exports import is_late, newest_scheduled
from benchlab.ops.findings import Finding, note, ok

EXPORTS_SHOWN = 5


@dataclass(frozen=True)
class LakeExports:
    """The newest exports, and what to do if the nightly one is late."""

    rows: Sequence[LakeExport]
    remedy: str


def lake_exports() -> LakeExports | None:
    """Return the newest exports; None if there is no lake."""
    rows = list(LakeExport.objects.all()[:EXPORTS_SHOWN])
    if not rows and not settings.LAKE:
        return None
    remedy = ""
    if is_late(newest_scheduled(), timezone.now()):
        problem = _("%(location)s has no export of the last two days.")
        how = _("Beat starts one each night. “bin/manage lake DIR --do” starts one now.")
        remedy = f"{problem % {'location': settings.LAKE}} {how}"
    return LakeExports(rows, remedy)


def lake() -> list[Finding]:
    """Check the age of the newest export, if BENCHLAB_LAKE is set."""
    if not settings.LAKE:
        return []
    newest = newest_scheduled()
    if not is_late(newest, timezone.now()) and newest is not None and newest.ended_at:
        return [ok(f"the lake was written {newest.ended_at:%Y-%m-%d %H:%M} UTC")]
    last = LakeExport.objects.filter(location=settings.LAKE).first()
    reason = f": {last.error}" if last and last.error else ""
    text = f"{settings.LAKE} has no export of the last two days{reason}"
    return [note(text, f"bin/manage lake {settings.LAKE} --do; is beat running?")]
