"""The audit record: who did what, from where; searchable by admins."""

from __future__ import annotations

import re
from ipaddress import ip_network
from pathlib import Path

from django.conf import LazySettings, settings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.domain.audit_labels import ACTIONS
from apps.accounts.models import AuditEntry, User
from apps.accounts.presenters.audit import AuditRow
from apps.accounts.services import audit_record
from apps.accounts.tests.factories import create_team


def test_an_act_keeps_its_words_when_the_row_and_the_user_are_gone(operator: User) -> None:
    team = create_team(name="Storage")
    audit_record(user=operator, action="create", subject=team, address="192.0.2.1", size=3)
    team.delete()
    operator.delete()
    entry = AuditEntry.objects.get()
    assert (entry.username, entry.object_type, entry.label) == ("operator", "team", "Storage")
    assert entry.user is None
    assert entry.detail == {"size": 3}


def test_the_address_is_that_of_the_request(admin_client: Client) -> None:
    admin_client.post("/teams/add/", {"name": "Lab"}, REMOTE_ADDR="192.0.2.9")
    assert AuditEntry.objects.get(object_type="team").address == "192.0.2.9"


def test_a_forged_header_changes_nothing(admin_client: Client) -> None:
    admin_client.post("/teams/add/", {"name": "Lab"}, HTTP_X_FORWARDED_FOR="203.0.113.5")
    assert AuditEntry.objects.get(object_type="team").address == "127.0.0.1"


def test_a_trusted_proxy_says_who_calls(admin_client: Client, settings: LazySettings) -> None:
    settings.BENCHLAB_TRUSTED_PROXIES = [ip_network("127.0.0.1")]
    admin_client.post("/teams/add/", {"name": "Lab"}, HTTP_X_FORWARDED_FOR="10.9.9.9, 203.0.113.5")
    assert AuditEntry.objects.get(object_type="team").address == "203.0.113.5"


def test_admins_search_it(
    admin_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(60):
        audit_record(user=None, action="enrol", subject="disk", number=number)
    audit_record(user=None, action="launch", subject="run")
    with django_assert_max_num_queries(4):
        page = admin_client.get("/audit/", {"action": "enrol"})
    assert len(page.context["page"].rows) == 50
    rest = admin_client.get("/audit/" + page.context["page"].older)
    assert len(rest.context["page"].rows) == 10
    assert {row.action for row in rest.context["page"].rows} == {"enrol"}


def test_audited_actions_of_the_code_have_labels() -> None:
    sources = Path(settings.BASE_DIR, "apps").rglob("*.py")
    code = "\n".join(file.read_text() for file in sources if "tests" not in file.parts)
    named = re.findall(r'audit_record\(\s*user=[\w.]+, action="([^"]+)"', code)
    assert len(named) > 40
    assert set(named) <= set(ACTIONS)


def test_audit_row_of_a_nested_detail_has_its_values_without_the_empty_ones() -> None:
    detail = {"entry": {"kind": "local", "user": "", "tags": [], "jump_id": None}, "wipe": False}
    row = AuditRow(AuditEntry(action="enrol", object_type="disk", detail=detail))
    assert row.details == [("kind", "local"), ("wipe", "no")]
    assert (row.action, row.object_type) == ("Enrol", "disk")
