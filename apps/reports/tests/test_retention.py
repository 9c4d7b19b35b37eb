"""Retention of share links."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from apps.accounts.models import User
from apps.reports.models import SavedReport, ShareLink
from apps.reports.tasks import retention


def test_share_links_are_deleted_90_days_after_their_end(owner: User) -> None:
    report = SavedReport.objects.create(title="Findings", owner=owner)
    now = timezone.now()
    old, new, later = now - timedelta(days=91), now - timedelta(days=89), now + timedelta(days=9)
    ends = {
        "expired": (old, None),
        "revoked": (later, old),
        "new": (new, None),
        "open": (later, None),
    }
    for digest, (expires_at, revoked_at) in ends.items():
        ShareLink.objects.create(
            report=report,
            created_by=owner,
            digest=digest,
            expires_at=expires_at,
            revoked_at=revoked_at,
        )

    retention()

    assert set(report.shares.values_list("digest", flat=True)) == {"new", "open"}
