"""Sign-on through OpenID Connect: accounts, roles and teams; every forged answer is refused."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.test import Client

from apps.accounts.models import AuditEntry, Role, Session, Team, User
from apps.accounts.selectors import last_admin_beyond_groups
from apps.accounts.services.sign_on import sign_on_join, signed_on
from apps.accounts.tests.factories import create_user
from apps.accounts.tests.oidc_provider import (
    CLIENT_ID,
    ISSUER,
    OTHER_KEY,
    Change,
    Claims,
    TestProvider,
    sign_on,
)


def refusals() -> list[str]:
    entries = AuditEntry.objects.filter(action="fail to sign on").order_by("pk")
    return [entry.detail["reason"] for entry in entries]


def is_in(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


def test_a_first_sign_on_creates_the_account_with_role_and_teams(
    client: Client, provider: TestProvider
) -> None:
    provider.person["groups"] = ["/storage", "/storage-admins", "/teams/SSD", "/other"]
    answer = sign_on(client, provider, "?next=/runs/")
    assert (answer.status_code, answer["Location"]) == (302, "/runs/")
    user = User.objects.get(username="grace")
    assert (user.role, [team.name for team in user.teams.all()]) == (Role.ADMIN, ["SSD"])
    assert not user.has_usable_password()
    account = SocialAccount.objects.get()
    assert (account.provider, account.uid) == (ISSUER, "248289")
    assert set(account.extra_data) == {"iss", "sub", "groups"}
    assert is_in(client)
    assert AuditEntry.objects.filter(action="log in", detail__by="provider").exists()


def test_role_and_teams_follow_the_groups_at_every_sign_on(
    client: Client, provider: TestProvider
) -> None:
    provider.person["groups"] = ["/storage-admins", "/teams/SSD", "/teams/HDD"]
    sign_on(client, provider)
    user = User.objects.get()
    create_user(role=Role.ADMIN)
    User.objects.filter(pk=user.pk).update(role=Role.ADMIN)
    provider.person["groups"] = "/storage"  # a single group, as some providers send it
    sign_on(Client(), provider)
    user.refresh_from_db()
    assert (user.role, user.teams.count()) == (Role.OPERATOR, 0)
    assert Team.objects.count() == 2
    assert AuditEntry.objects.filter(action="change", detail__by_groups=True).count() == 2


@pytest.mark.parametrize("way", ["sign-on", "join"])
def test_last_active_admin_keeps_the_role_against_the_groups(
    client: Client, admin_client: Client, admin: User, provider: TestProvider, way: str
) -> None:
    claims, provided = {"sub": "248289", "groups": ["/storage"]}, settings.OIDC
    assert provided is not None
    left = create_user(role=Role.ADMIN)
    User.objects.filter(pk=left.pk).update(is_active=False)
    if way == "join":
        sign_on_join(user=admin, claims=claims, sign_on=provided)
    else:
        SocialAccount.objects.create(user=admin, provider=ISSUER, uid="248289")
        signed_on(claims=claims, sign_on=provided)
    admin.refresh_from_db()
    assert admin.role == Role.ADMIN
    entry = AuditEntry.objects.get(action="keep the last admin")
    assert (entry.object_id, entry.detail) == (str(admin.pk), {"role_of_groups": "operator"})
    assert last_admin_beyond_groups() == admin
    assert f"{admin.username} is the last admin" in admin_client.get("/system/").content.decode()
    create_user(role=Role.ADMIN)
    assert last_admin_beyond_groups() is None
    signed_on(claims=claims, sign_on=provided)
    admin.refresh_from_db()
    assert admin.role == Role.OPERATOR


def test_groups_of_user_info_count_if_the_token_has_none(
    client: Client, provider: TestProvider
) -> None:
    del provider.person["groups"]
    provider.user_info = {"groups": ["/storage-admins"]}
    sign_on(client, provider)
    assert User.objects.get().role == Role.ADMIN


def test_groups_of_the_token_come_before_those_of_user_info(
    client: Client, provider: TestProvider
) -> None:
    del provider.person["preferred_username"]
    provider.user_info = {"groups": ["/storage-admins"], "preferred_username": "grace"}
    sign_on(client, provider)
    assert User.objects.get(username="grace").role == Role.OPERATOR


def test_user_info_of_another_person_is_refused(client: Client, provider: TestProvider) -> None:
    del provider.person["groups"]
    provider.user_info = {"sub": "other", "groups": ["/storage-admins"]}
    assert sign_on(client, provider).status_code == 400
    assert refusals() == ["subject"]


def test_the_same_address_or_name_takes_no_account(client: Client, provider: TestProvider) -> None:
    admin = create_user(role=Role.ADMIN, username="Grace")
    User.objects.filter(pk=admin.pk).update(email="grace@lab.example")
    provider.person |= {"email": "grace@lab.example", "email_verified": True}
    assert sign_on(client, provider).status_code == 400
    assert not is_in(client)
    provider.person["preferred_username"] = "other"
    sign_on(client, provider)
    assert User.objects.get(username="other").pk != admin.pk
    assert refusals() == ["taken"]


def test_the_same_subject_of_another_issuer_is_another_person(
    client: Client, provider: TestProvider
) -> None:
    admin = create_user(role=Role.ADMIN, username="root")
    SocialAccount.objects.create(user=admin, provider="https://old.example", uid="248289")
    sign_on(client, provider)
    assert client.get("/users/").status_code == 403


def test_a_renamed_person_stays_the_same_account(client: Client, provider: TestProvider) -> None:
    sign_on(client, provider)
    provider.person["preferred_username"] = "hopper"
    sign_on(Client(), provider)
    assert [user.username for user in User.objects.all()] == ["grace"]


def expire(claims: Claims) -> None:
    claims["exp"] = int(time.time()) - 61


def future(claims: Claims) -> None:
    claims["iat"] = int(time.time()) + 90


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda claims: claims.update(iss="https://evil.example"), "token"),
        (lambda claims: claims.update(aud="another"), "token"),
        (lambda claims: claims.update(aud=[CLIENT_ID, "another"]), "token"),
        (lambda claims: claims.update(azp="another"), "token"),
        (lambda claims: claims.update(nonce="another"), "token"),
        (lambda claims: claims.pop("nonce"), "token"),
        (lambda claims: claims.pop("exp"), "token"),
        (lambda claims: claims.update(sub=7), "token"),
        (lambda claims: claims.update(sub="x" * 300), "token"),
        (lambda claims: claims.update(iat="soon"), "token"),
        (expire, "token"),
        (future, "clock"),
        (lambda claims: claims.update(groups=["/none"]), "no_role"),
        (lambda claims: claims.update(groups=None), "no_groups"),
        (lambda claims: claims.update(groups=[{"name": "/storage"}]), "bad_groups"),
        (lambda claims: claims.update(groups=[f"/g{n}" for n in range(201)]), "too_many_groups"),
        (lambda claims: claims.update(groups=None, _claim_names={"groups": 1}), "too_many_groups"),
        (lambda claims: claims.update(preferred_username="a b\n"), "username"),
        (lambda claims: claims.update(preferred_username="x" * 151), "username"),
    ],
)  # fmt: skip
def test_a_bad_answer_is_refused_with_one_sentence_and_an_entry(
    client: Client, provider: TestProvider, change: Change, reason: str
) -> None:
    provider.change = change
    answer = sign_on(client, provider)
    assert (answer.status_code, refusals()) == (400, [reason])
    assert not is_in(client)
    assert not User.objects.exists()


@pytest.mark.parametrize("attack", ["other key", "none", "shared secret", "unknown key"])
def test_a_forged_signature_is_refused(client: Client, provider: TestProvider, attack: str) -> None:
    if attack == "other key":
        provider.key = OTHER_KEY
    elif attack == "none":
        provider.key, provider.algorithm = None, "none"  # type: ignore[assignment] # the attack
    elif attack == "shared secret":
        provider.key, provider.algorithm = "secret" * 8, "HS256"  # type: ignore[assignment] # as above
    else:
        provider.kid = "2"
    assert sign_on(client, provider).status_code == 400
    assert refusals() == ["token"]


def test_metadata_of_another_issuer_is_refused(client: Client, provider: TestProvider) -> None:
    provider.metadata_issuer = "https://evil.example"
    assert client.get("/login/sign-on/").status_code == 400
    assert refusals() == ["token"]


def test_a_state_opens_once_and_only_in_its_browser(client: Client, provider: TestProvider) -> None:
    back, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    assert Client().get(f"/login/sign-on/callback/{back}").status_code == 400
    assert client.get(f"/login/sign-on/callback/{back}").status_code == 302
    client.post("/logout/")
    assert client.get(f"/login/sign-on/callback/{back}").status_code == 400
    assert refusals() == ["state", "state"]


def test_a_code_of_another_sign_on_is_refused(client: Client, provider: TestProvider) -> None:
    attacker, _sent = provider.authorize(Client().get("/login/sign-on/")["Location"])
    mine, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    state = parse_qs(urlsplit(mine).query)["state"][0]
    code = parse_qs(urlsplit(attacker).query)["code"][0]
    assert client.get(f"/login/sign-on/callback/?code={code}&state={state}").status_code == 400
    assert refusals() == ["token"]


def test_an_answer_of_another_issuer_is_refused(client: Client, provider: TestProvider) -> None:
    back, _sent = provider.authorize(client.get("/login/sign-on/")["Location"])
    answer = client.get(f"/login/sign-on/callback/{back}&iss=https://evil.example")
    assert (answer.status_code, refusals()) == (400, ["token"])


def test_the_request_has_pkce_and_takes_no_parameters_of_the_address(
    client: Client, provider: TestProvider
) -> None:
    address = (
        "/login/sign-on/?auth_params=prompt%3Dnone%26login_hint%3Dx&scope=admin&process=connect"
    )
    _back, sent = provider.authorize(client.get(address)["Location"])
    assert sent["code_challenge_method"] == "S256"
    assert not {"prompt", "login_hint", "auth_params"} & set(sent)
    assert set(sent["scope"].split()) == {"openid", "profile", "email"}


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_a_sign_on_returns_to_benchlab_only(
    client: Client, provider: TestProvider, address: str
) -> None:
    assert sign_on(client, provider, f"?next={address}")["Location"] == "/"


def test_a_sign_on_changes_the_session_key(client: Client, provider: TestProvider) -> None:
    begun = client.get("/login/sign-on/")
    before = client.cookies["sessionid"].value
    back, _sent = provider.authorize(begun["Location"])
    client.get(f"/login/sign-on/callback/{back}")
    assert client.cookies["sessionid"].value != before
    assert not Session.objects.filter(pk=before).exists()


def test_a_disabled_account_stays_out(client: Client, provider: TestProvider) -> None:
    sign_on(client, provider)
    User.objects.update(is_active=False)
    assert sign_on(Client(), provider).status_code == 400
    assert refusals() == ["inactive"]
