"""Requests without the right to them are in the audit record, up to a limit."""

from __future__ import annotations

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import AuditEntry, User
from apps.accounts.services import token_create
from apps.accounts.services.audit import REFUSED_REQUESTS


def refusals() -> list[tuple[str, str, str]]:
    rows = AuditEntry.objects.filter(action="attempt").order_by("pk")
    return [(row.username, row.detail["method"], row.detail["path"]) for row in rows]


def bearer(user: User, *, read_only: bool = False, may_wipe: bool = False) -> APIClient:
    row, secret = token_create(user=user, name="script", read_only=read_only, days=1)
    row.may_wipe = may_wipe
    row.save()
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def test_page_without_the_role_is_recorded(viewer_client: Client) -> None:
    assert viewer_client.post("/teams/add/", {"name": "Lab"}).status_code == 403
    assert refusals() == [("viewer", "POST", "/teams/add/")]


def test_request_of_a_token_without_the_role_is_recorded(viewer: User) -> None:
    assert bearer(viewer).post("/api/v1/hosts/", {}).status_code == 403
    assert refusals() == [("viewer", "POST", "/api/v1/hosts/")]


def test_write_with_a_read_only_token_is_recorded(operator: User) -> None:
    assert bearer(operator, read_only=True).post("/api/v1/plans/", {}).status_code == 403
    assert refusals() == [("operator", "POST", "/api/v1/plans/")]
    assert "only read" in AuditEntry.objects.get(action="attempt").detail["reason"]


def test_token_that_may_not_wipe_is_recorded(admin: User) -> None:
    assert bearer(admin).post("/api/v1/tokens/", {"name": "more"}).status_code == 403
    assert refusals() == [("admin", "POST", "/api/v1/tokens/")]


def test_forged_form_is_recorded(viewer: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(viewer)
    assert client.post("/account/preferences/").status_code == 403
    assert [method for _user, method, _path in refusals()] == ["POST"]


def test_page_that_asks_for_a_fresh_login_is_no_refusal(viewer_client: Client) -> None:
    session = viewer_client.session
    session[FRESH] = 0
    session.save()
    assert viewer_client.post("/tokens/", {"name": "nightly"}).status_code == 403
    assert refusals() == []


def test_refusals_of_a_user_are_recorded_up_to_a_limit(
    viewer_client: Client, operator_client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    for _number in range(REFUSED_REQUESTS + 2):
        assert viewer_client.get("/users/").status_code == 403
    assert len(refusals()) == REFUSED_REQUESTS
    assert sum("refused GET /users/ of viewer" in line for line in caplog.messages) == 2
    operator_client.get("/users/")
    assert refusals()[-1] == ("operator", "GET", "/users/")


def test_nobody_is_not_recorded(db: None) -> None:
    assert APIClient().post("/api/v1/hosts/", {}).status_code == 401
    assert refusals() == []
