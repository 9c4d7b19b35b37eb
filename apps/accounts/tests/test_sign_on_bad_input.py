"""Bad answers of the provider: each is one sentence and an entry, none is an internal error."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from django.conf import LazySettings
from django.test import Client

from apps.accounts.domain.sign_on import Claims, SignOn, SignOnRefused, grant_of, groups_in
from apps.accounts.models import AuditEntry, User
from apps.accounts.tests.oidc_provider import Change, TestProvider, sign_on


def reasons() -> list[str]:
    rows = AuditEntry.objects.filter(action="fail to sign on").order_by("pk")
    return [row.detail["reason"] for row in rows]


def slow_clock(seconds: int) -> Change:
    names = ("iat", "exp", "auth_time")
    return lambda claims: claims.update({name: claims[name] - seconds for name in names})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (slow_clock(90), "clock"),  # still within its validity
        (slow_clock(3600), "clock"),  # expired as well
        (slow_clock(-90), "clock"),
        (lambda claims: claims.update(iat=str(int(time.time()))), "token"),
        (lambda claims: claims.update(iat=True), "token"),
        (lambda claims: claims.update(iat=10**400), "token"),
        (lambda claims: claims.update(exp=str(int(time.time()) + 300), jti="1"), "token"),
        (lambda claims: claims.update(exp=float("inf")), "token"),
        (lambda claims: claims.update(exp=1e12, jti="1"), "token"),
        (lambda claims: claims.update(nbf=int(time.time()) + 90), "token"),
        (lambda claims: claims.update(sub="a\x00b"), "token"),
        (lambda claims: claims.update(sub="\ud800"), "token"),
        (lambda claims: claims.update(groups=["/storage", "\x00"]), "bad_groups"),
        (lambda claims: claims.update(groups={"/storage": 1}), "bad_groups"),
        (lambda claims: claims.update(preferred_username="a\x00b"), "username"),
        (lambda claims: claims.update(preferred_username="\ud800"), "username"),
    ],
)
def test_odd_claims_are_refused(
    client: Client, provider: TestProvider, change: Change, reason: str
) -> None:
    provider.change = change
    assert sign_on(client, provider).status_code == 400
    assert reasons() == [reason]
    assert not User.objects.exists()


def test_a_clock_within_a_minute_signs_on(client: Client, provider: TestProvider) -> None:
    provider.change = slow_clock(50)
    assert sign_on(client, provider).status_code == 302


def test_a_code_counts_once(client: Client, provider: TestProvider) -> None:
    back, sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    assert client.get(f"/login/sign-on/callback/{back}").status_code == 302
    client.post("/logout/")
    _back, second = provider.authorize(client.get("/login/sign-on/")["Location"])
    again = back.replace(sent["state"], second["state"])
    assert client.get(f"/login/sign-on/callback/{again}").status_code == 400
    assert reasons() == ["code"]


@pytest.mark.parametrize("endpoint", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
@pytest.mark.parametrize("value", [None, 7, "javascript:alert(1)"])
def test_metadata_without_an_endpoint_is_refused(
    client: Client, provider: TestProvider, endpoint: str, value: object
) -> None:
    provider.metadata_changes = {endpoint: value}
    assert client.get("/login/sign-on/").status_code == 400
    assert reasons() == ["provider"]


def test_a_provider_that_goes_away_during_a_sign_on_is_shown(
    client: Client, provider: TestProvider
) -> None:
    back, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    provider.is_away = True
    answer = client.get(f"/login/sign-on/callback/{back}")
    assert (answer.status_code, reasons()) == (503, ["away"])
    assert answer.context["away_since"]
    assert client.get("/login/").context["away_since"]
    provider.is_away = False
    assert sign_on(client, provider).status_code == 302
    assert not Client().get("/login/").context["away_since"]


# --- Groups --------------------------------------------------------------------------------------

PATH = "resource_access.benchlab.roles"
OTHER_CLIENT = {"resource_access": {"account": {"roles": ["view-profile"]}}}
OWN_CLIENT = {"resource_access": {"benchlab": {"roles": ["/storage-admins"]}}}


@pytest.mark.parametrize(
    ("claims", "path", "groups"),
    [
        ({"groups": ["a", "b"]}, "groups", ["a", "b"]),
        ({"groups": "a"}, "groups", ["a"]),
        ({"groups": []}, "groups", []),
        ({}, "groups", None),
        (OWN_CLIENT, PATH, ["/storage-admins"]),
        (OTHER_CLIENT, PATH, None),
        ({"resource_access": "x"}, PATH, None),
        ({"https://bench.lab/groups": ["a"]}, "https://bench.lab/groups", ["a"]),
        ({"_claim_names": "groups"}, "groups", None),
    ],
)
def test_groups_are_read_at_a_claim_or_a_path(
    claims: Claims, path: str, groups: list[str] | None
) -> None:
    assert groups_in(claims, path) == groups


def test_a_path_in_user_info_counts_with_another_in_the_token(
    client: Client, provider: TestProvider, settings: LazySettings
) -> None:
    assert settings.OIDC is not None
    settings.OIDC = replace(settings.OIDC, groups_claim=PATH)
    provider.person |= OTHER_CLIENT
    provider.user_info = OWN_CLIENT
    assert sign_on(client, provider).status_code == 302
    assert User.objects.get(username="grace").is_admin


RULES = (("/storage-admins", "admin"), ("/storage", "operator"))


@pytest.mark.parametrize(
    ("groups", "no_group", "result"),
    [
        (["/storage", "/storage-admins"], "refuse", "admin"),
        (["/storage"], "viewer", "operator"),
        (["/none"], "viewer", "viewer"),
        (None, "viewer", "viewer"),
        (["/none"], "refuse", "no_role"),
        (None, "refuse", "no_groups"),
    ],
)
def test_the_strongest_role_counts(groups: list[str] | None, no_group: str, result: str) -> None:
    assert granted(groups, SignOn("i", "c", roles=RULES, no_group=no_group)) == result


@pytest.mark.parametrize(
    ("groups", "no_group", "result"),
    [
        (["/teams/SSD", "/teams/", "/teams/\x07", f"/teams/{'x' * 61}"], "refuse", ("SSD",)),
        ([], "refuse", ()),
        (None, "refuse", "no_groups"),
        (None, "viewer", ()),
    ],
)
def test_teams_without_roles_need_the_claim(
    groups: list[str] | None, no_group: str, result: object
) -> None:
    assert granted(groups, SignOn("i", "c", team_prefix="/teams/", no_group=no_group)) == result


def granted(groups: list[str] | None, sign_on: SignOn) -> object:
    """Return the role, without rules the teams, or the reason of the refusal."""
    try:
        grant = grant_of(groups, sign_on)
    except SignOnRefused as refusal:
        return refusal.reason
    return grant.role if sign_on.roles else grant.teams
