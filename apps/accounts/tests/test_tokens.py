"""API tokens: shown once, read-only ones only read, use is remembered, the revoked open nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from apps.accounts.models import ApiToken, AuditEntry, User
from apps.accounts.services import token_create
from apps.accounts.services.throttling import WRONG_TOKEN, WRONG_TOKENS_PER_ADDRESS
from apps.common.errors import ServiceError

HOSTS = "/api/v1/hosts/"
Api = Callable[[User | None], APIClient]


def bearing(secret: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}")
    return client


def test_a_token_opens_the_api_in_its_users_name(operator: User) -> None:
    _token, secret = token_create(user=operator, name="script")
    assert bearing(secret).get(HOSTS).status_code == 200


@pytest.mark.parametrize("secret", ["", "wrong", "wrong words", "0" * 64, "ü"])
def test_anything_else_is_401(db: None, secret: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {secret}".encode().decode("latin-1"))
    response = client.get(HOSTS)
    assert response.status_code == 401
    assert response.json()["error"]["kind"] in ("not_authenticated", "error")
    assert response["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
@pytest.mark.parametrize("address", [HOSTS, "/metrics"])
def test_token_with_scheme_bearer_is_401_and_names_the_scheme_token(
    operator: User, scheme: str, address: str
) -> None:
    _token, secret = token_create(user=operator, name="script")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {secret}")
    response = client.get(address)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Token"
    assert "Authorization: Token" in response.content.decode()


def test_a_read_only_token_reads_and_nothing_else(operator: User) -> None:
    _token, secret = token_create(user=operator, name="reader", read_only=True)
    client = bearing(secret)
    assert client.get(HOSTS).status_code == 200
    response = client.post("/api/v1/tokens/", {"name": "more"}, format="json")
    assert response.status_code == 403
    assert "only read" in response.json()["error"]["message"]
    assert ApiToken.objects.count() == 1


def test_a_program_reads_the_rights_of_its_token(operator: User) -> None:
    for name, read_only in (("reader", True), ("writer", False)):
        _token, secret = token_create(user=operator, name=name, read_only=read_only)
        answer = bearing(secret).get("/api/v1/tokens/current/").json()
        assert (answer["name"], answer["read_only"]) == (name, read_only)
        assert "token" not in answer
    session = APIClient()
    session.force_authenticate(operator)
    assert session.get("/api/v1/tokens/current/").status_code == 404


def test_a_read_only_token_may_check_a_draft_and_nothing_is_stored(viewer: User) -> None:
    _token, secret = token_create(user=viewer, name="reader", read_only=True)
    client = bearing(secret)
    draft = {"name": "draft", "steps": [{"tool": "fio", "params": {"rw": "read", "size": "1G"}}]}
    assert client.post("/api/v1/plans/check/", draft, format="json").status_code == 200
    assert client.post("/api/v1/plans/", draft, format="json").status_code == 403
    assert client.put("/api/v1/plans/check/", draft, format="json").status_code == 403


def test_an_expired_token_is_refused_and_stays_visible(operator: User) -> None:
    token, secret = token_create(user=operator, name="old", days=1)
    ApiToken.objects.filter(pk=token.pk).update(expiry=timezone.now() - timedelta(seconds=1))
    assert bearing(secret).get(HOSTS).status_code == 401
    assert ApiToken.objects.get().is_expired


def test_a_token_of_somebody_who_may_not_log_in_is_refused(operator: User) -> None:
    _token, secret = token_create(user=operator, name="script")
    User.objects.filter(pk=operator.pk).update(is_active=False)
    assert bearing(secret).get(HOSTS).status_code == 401


@pytest.mark.parametrize("lost", ["revoked", "deleted", "other digest"])
def test_a_token_that_is_none_any_more_is_refused(operator: User, lost: str) -> None:
    token, secret = token_create(user=operator, name="script")
    assert bearing(secret).get(HOSTS).status_code == 200
    if lost == "other digest":
        ApiToken.objects.update(digest="0" * 128)
    else:
        (token if lost == "revoked" else operator).delete()
    assert bearing(secret).get(HOSTS).status_code == 401


def test_the_longest_common_beginning_is_no_token(operator: User) -> None:
    _token, secret = token_create(user=operator, name="script")
    wrong = secret[:-1] + ("0" if secret[-1] != "0" else "1")
    assert bearing(wrong).get(HOSTS).status_code == 401


def test_wrong_tokens_meet_a_limit_that_leaves_the_right_one_in(operator: User) -> None:
    _token, secret = token_create(user=operator, name="script")
    for number in range(WRONG_TOKENS_PER_ADDRESS):
        assert bearing(f"{number:064}").get(HOSTS).status_code == 401
    refused = bearing("f" * 64).get(HOSTS)
    assert refused.status_code == 429
    assert refused.json()["error"]["kind"] == "too_many_requests"
    assert int(refused["Retry-After"]) == 900
    assert AuditEntry.objects.filter(action=WRONG_TOKEN).count() == WRONG_TOKENS_PER_ADDRESS
    assert bearing(secret).get(HOSTS).status_code == 200
    AuditEntry.objects.update(timestamp=timezone.now() - timedelta(minutes=16))
    assert bearing("f" * 64).get(HOSTS).status_code == 401


def test_a_token_always_ends(operator: User, settings: LazySettings) -> None:
    settings.BENCHLAB_TOKEN_DAYS, settings.BENCHLAB_TOKEN_MAX_DAYS = 30, 60
    token, _secret = token_create(user=operator, name="script")
    assert timedelta(days=29) < token.expiry - timezone.now() <= timedelta(days=30)
    with pytest.raises(ServiceError, match="1 to 60 days"):
        token_create(user=operator, name="script", days=61)


def test_the_form_offers_what_is_allowed(viewer_client: Client, settings: LazySettings) -> None:
    settings.BENCHLAB_TOKEN_MAX_DAYS = 45
    offered = viewer_client.get("/tokens/").context["form"].fields["days"]
    assert [days for days, _words in offered.choices] == [7, 30, 45]
    assert viewer_client.post("/tokens/", {"name": "x", "days": "90"}).context["secret"] == ""


def test_token_validity_above_the_maximum_is_refused(api: Api, operator: User) -> None:
    answer = api(operator).post("/api/v1/tokens/", {"name": "ci", "days": 366})
    assert answer.status_code == 400
    assert "days" in answer.json()["error"]["fields"]


def test_use_is_remembered_once_a_minute(
    operator: User, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    token, secret = token_create(user=operator, name="script")
    client = bearing(secret)
    client.get(HOSTS)
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    with django_assert_max_num_queries(3):
        client.get(HOSTS)
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    client.get(HOSTS)
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert token.last_used_at >= first


def test_the_api_makes_lists_and_revokes_ones_own(api: Api, operator: User, stranger: User) -> None:
    client = api(operator)
    made = client.post("/api/v1/tokens/", {"name": "ci", "days": 7})
    assert made.status_code == 201
    token = made.json()
    assert bearing(token["token"]).get(HOSTS).status_code == 200
    listed = client.get("/api/v1/tokens/").json()["results"]
    assert [row["name"] for row in listed] == ["ci"]
    assert "token" not in listed[0]
    assert "digest" not in listed[0]
    assert api(stranger).get("/api/v1/tokens/").json()["results"] == []
    assert api(stranger).delete(f"/api/v1/tokens/{token['id']}/").status_code == 404
    assert client.delete(f"/api/v1/tokens/{token['id']}/").status_code == 204
    assert bearing(token["token"]).get(HOSTS).status_code == 401


def test_the_page_shows_the_secret_once(viewer_client: Client, viewer: User) -> None:
    page = viewer_client.post("/tokens/", {"name": "report", "days": "30"})
    token = ApiToken.objects.get()
    assert token.user == viewer
    secret = page.context["secret"]
    assert secret.startswith(token.token_key)
    assert secret in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert secret not in viewer_client.get("/tokens/").content.decode()
    assert secret not in str(AuditEntry.objects.values_list("detail", "label"))


def test_others_cannot_revoke_but_an_admin_can(
    viewer: User, stranger_client: Client, admin_client: Client
) -> None:
    token, _secret = token_create(user=viewer, name="report")
    address = f"/tokens/{token.reference}/revoke/"
    assert stranger_client.post(address).status_code == 403
    assert ApiToken.objects.exists()
    assert admin_client.post(address).status_code == 302
    assert not ApiToken.objects.exists()
    assert AuditEntry.objects.filter(action="revoke", username="admin").exists()
