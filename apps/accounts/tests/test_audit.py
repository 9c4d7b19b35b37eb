"""The audit record: who did what, from where; searchable by admins."""

from __future__ import annotations

from ipaddress import ip_network

from django.conf import LazySettings
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import AuditEntry, User
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
