"""Links for people without a login: what they show, when they end, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from apps.accounts.models import AuditEntry, Role, User
from apps.accounts.tests.factories import create_user
from apps.common.errors import ServiceError
from apps.reports.models import SavedReport, ShareLink
from apps.reports.services import share_link_create, share_link_revoke
from apps.reports.tests.factories import create_report, create_sweep_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def report(owner: User) -> SavedReport:
    return create_report(owner, create_sweep_run(owner))


def link_status(token: str) -> int:
    return Client().get(f"/shared/{token}/").status_code


def test_a_link_shows_the_report_and_lets_nothing_in(owner: User, report: SavedReport) -> None:
    _share, token = share_link_create(report=report, user=owner, days=1)
    answer = Client().get(f"/shared/{token}/")
    page = answer.content.decode()
    assert "The scheduler <strong>matters</strong>." in page
    assert "Scheduler none" in page
    policy = answer["Content-Security-Policy"]
    assert "sandbox allow-scripts" in policy
    assert "allow-same-origin" not in policy
    assert "default-src 'none'" in policy
    assert (answer["Referrer-Policy"], answer["X-Robots-Tag"]) == (
        "no-referrer",
        "noindex, nofollow",
    )
    assert not answer.cookies
    share = ShareLink.objects.get()
    assert (share.view_count, token in share.digest) == (1, False)


def test_no_other_token_opens_anything(owner: User, report: SavedReport) -> None:
    share, token = share_link_create(report=report, user=owner, days=1)
    for wrong in (token[:-1], f"{token}x", share.digest, str(share.pk), "%00"):
        assert link_status(wrong) == 404


def test_link_ends_by_expiry_revocation_disabled_user(owner: User, report: SavedReport) -> None:
    links = [share_link_create(report=report, user=owner, days=1) for _ in range(2)]
    ShareLink.objects.filter(pk=links[0][0].pk).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    share_link_revoke(share=links[1][0], user=owner)
    assert [link_status(token) for _share, token in links] == [410, 410]
    _share, token = share_link_create(report=report, user=owner, days=1)
    assert link_status(token) == 200
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert link_status(token) == 410


def test_an_admin_switches_all_of_them_off(
    owner: User, report: SavedReport, settings: Settings
) -> None:
    _share, token = share_link_create(report=report, user=owner, days=1)
    settings.SHARE_LINKS = False
    assert link_status(token) == 404
    with pytest.raises(ServiceError, match="switched off"):
        share_link_create(report=report, user=owner, days=1)


def test_share_link_permissions(
    owner: User, viewer: User, stranger: User, report: SavedReport
) -> None:
    for user in (viewer, stranger):
        with pytest.raises(PermissionDenied):
            share_link_create(report=report, user=user, days=1)
    share, token = share_link_create(report=report, user=owner, days=1)
    for user in (viewer, stranger):
        with pytest.raises(PermissionDenied):
            share_link_revoke(share=share, user=user)
    share_link_revoke(share=share, user=create_user(role=Role.ADMIN))
    assert link_status(token) == 410


def test_the_link_is_shown_once_and_listed(
    owner: User, owner_client: Client, report: SavedReport
) -> None:
    made = owner_client.post(
        reverse("report_share", args=[report.pk]), {"days": 7}
    ).content.decode()
    token = made.split("/shared/")[1].split("/")[0]
    assert link_status(token) == 200
    page = owner_client.get(reverse("report_detail", args=[report.pk])).content.decode()
    share = ShareLink.objects.get()
    assert token not in page
    assert reverse("share_revoke", args=[share.pk]) in page
    owner_client.post(reverse("share_revoke", args=[share.pk]))
    assert link_status(token) == 410
    actions = AuditEntry.objects.filter(object_type="savedreport").values_list("action", flat=True)
    assert {"share", "revoke"} <= set(actions)


def test_share_link_with_freeze_stores_the_results_once(
    owner_client: Client, report: SavedReport
) -> None:
    address = reverse("report_share", args=[report.pk])
    for _ in range(2):
        assert owner_client.post(address, {"days": 7, "freeze": "on"}).status_code == 200
    report.refresh_from_db()
    assert report.frozen_at
    assert report.sections.exclude(frozen_result=None).exists()
    assert ShareLink.objects.count() == 2
    assert AuditEntry.objects.filter(action="freeze").count() == 1


def test_days_are_bounded(owner: User, owner_client: Client, report: SavedReport) -> None:
    for days in (0, 366):
        with pytest.raises(ServiceError, match="1 to 365 days"):
            share_link_create(report=report, user=owner, days=days)
    owner_client.post(reverse("report_share", args=[report.pk]), {"days": "many"})
    assert not ShareLink.objects.exists()
