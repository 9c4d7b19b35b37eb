"""Second factors: codes count once, secrets are encrypted, wrong codes meet a limit."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from cryptography.fernet import Fernet
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, AuditEntry, User
from apps.accounts.selectors import recovery_codes_left
from apps.accounts.services import code_verify, totp_activate, user_save

PASSWORD = "a long password"
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # RFC 6238, appendix B
NOW = 1_796_000_000


def code_at(seconds: float) -> str:
    return str(format_hotp_value(hotp_value(SECRET, int(seconds) // 30)))


@pytest.fixture
def clock() -> Any:
    with time_machine.travel(NOW, tick=False) as travelled:
        yield travelled


@pytest.fixture
def codes(clock: Any, viewer: User) -> list[str]:
    """The viewer has an app; its first code is used."""
    return totp_activate(user=viewer, secret=SECRET, code=code_at(NOW))


def begin(client: Client, name: str = "viewer") -> Any:
    return client.post("/login/", {"username": name, "password": PASSWORD})


def is_in(client: Client) -> bool:
    return client.get("/account/preferences/").status_code == 200


def test_codes_are_those_of_the_standard() -> None:
    assert code_at(59) == "287082"  # RFC 6238, appendix B: 94287082, last six digits
    assert code_at(1111111109) == "081804"


def test_the_page_adds_an_app_and_shows_recovery_codes_once(
    clock: Any, viewer_client: Client, viewer: User
) -> None:
    page = viewer_client.get("/account/second-factor/app/")
    secret = page.context["secret"].replace(" ", "")
    code = str(format_hotp_value(hotp_value(secret, NOW // 30)))
    form = {"sealed": page.context["sealed"], "code": code}
    shown = viewer_client.post("/account/second-factor/app/", form).context["codes"]
    assert len(set(shown)) == 10
    row = Authenticator.objects.get(type="totp")
    assert secret not in str(row.data)
    listing = viewer_client.get("/account/second-factor/").content.decode()
    assert not any(code in listing for code in shown)
    assert secret not in str(list(AuditEntry.objects.values()))


def test_a_wrong_first_code_adds_nothing(viewer_client: Client) -> None:
    page = viewer_client.get("/account/second-factor/app/")
    form = {"sealed": page.context["sealed"], "code": "000000"}
    answer = viewer_client.post("/account/second-factor/app/", form)
    assert answer.status_code == 400
    assert answer.context["secret"] == page.context["secret"]
    assert not Authenticator.objects.exists()


def test_a_sealed_secret_of_another_user_is_not_taken(
    clock: Any, viewer_client: Client, operator_client: Client
) -> None:
    page = operator_client.get("/account/second-factor/app/")
    secret = page.context["secret"].replace(" ", "")
    code = str(format_hotp_value(hotp_value(secret, NOW // 30)))
    form = {"sealed": page.context["sealed"], "code": code}
    assert viewer_client.post("/account/second-factor/app/", form).status_code == 400


def test_a_secret_copied_to_another_user_does_not_open(
    codes: list[str], viewer: User, operator: User
) -> None:
    Authenticator.objects.filter(type="totp").update(user=operator)
    assert code_verify(user=operator, code=code_at(NOW + 30)) == ""


def test_a_new_encryption_key_opens_the_second_factors(
    codes: list[str], viewer: User, settings: LazySettings
) -> None:
    new, old = Fernet.generate_key().decode(), settings.BENCHLAB_ENCRYPTION_KEYS
    settings.BENCHLAB_ENCRYPTION_KEYS = [new, *old]
    call_command("rotate_secrets", stdout=StringIO())
    settings.BENCHLAB_ENCRYPTION_KEYS = [new]
    assert code_verify(user=viewer, code=code_at(NOW + 30)) == "totp"
    assert code_verify(user=viewer, code=codes[0]) == "recovery code"
    settings.BENCHLAB_ENCRYPTION_KEYS = old
    assert code_verify(user=viewer, code=codes[1]) == ""


def test_the_password_alone_does_not_log_in(codes: list[str], client: Client, clock: Any) -> None:
    assert begin(client)["Location"] == "/login/code/"
    assert not is_in(client)
    clock.shift(30)
    answer = client.post("/login/code/", {"code": code_at(NOW + 30)})
    assert (answer.status_code, is_in(client)) == (302, True)
    assert AuditEntry.objects.filter(action="log in", detail__by="totp").exists()


def test_a_code_counts_once_in_all_its_ninety_seconds(
    codes: list[str], viewer: User, clock: Any
) -> None:
    """django-allauth forgets a used code after 30 s, while it stays valid."""
    code = code_at(NOW + 30)
    assert code_verify(user=viewer, code=code) == "totp"
    for _step in range(3):
        assert code_verify(user=viewer, code=code) == ""
        clock.shift(29)


@pytest.mark.parametrize(("error", "method"), [(30, "totp"), (60, ""), (90, "")])
def test_a_phone_may_be_half_a_minute_off(
    codes: list[str], viewer: User, clock: Any, error: int, method: str
) -> None:
    clock.shift(300)
    assert code_verify(user=viewer, code=code_at(NOW + 300 + error)) == method


@pytest.mark.parametrize("code", ["", "000000", "abcdef", "287082 ", "1" * 41, "\x00"])
def test_nonsense_is_no_code(codes: list[str], client: Client, code: str) -> None:
    begin(client)
    assert client.post("/login/code/", {"code": code}).status_code == 200
    assert not is_in(client)


def test_guessing_codes_meets_the_limit(codes: list[str], client: Client, clock: Any) -> None:
    begin(client)
    for _number in range(5):
        client.post("/login/code/", {"code": "000000"})
    clock.shift(30)
    client.post("/login/code/", {"code": code_at(NOW + 30)})
    assert not is_in(client)


def test_a_recovery_code_counts_once(codes: list[str], viewer: User, client: Client) -> None:
    begin(client)
    assert client.post("/login/code/", {"code": codes[0]}).status_code == 302
    assert is_in(client)
    again = Client()
    begin(again)
    again.post("/login/code/", {"code": codes[0]})
    assert not is_in(again)
    assert AuditEntry.objects.filter(action="use a recovery code").count() == 1


def test_the_first_step_ends_after_five_minutes(
    codes: list[str], client: Client, clock: Any
) -> None:
    begin(client)
    clock.shift(301)
    assert client.post("/login/code/", {"code": code_at(NOW + 301)})["Location"] == "/login/"
    assert not is_in(client)


def test_a_new_password_ends_the_first_step(
    codes: list[str], client: Client, clock: Any, viewer: User, admin: User
) -> None:
    begin(client)
    user_save(user=viewer, by=admin, teams=[], password="another!one")
    clock.shift(30)
    client.post("/login/code/", {"code": code_at(NOW + 30)})
    assert not is_in(client)


def test_the_second_step_without_the_first_is_the_login(client: Client, db: None) -> None:
    assert client.get("/login/code/")["Location"] == "/login/"


def test_the_second_step_changes_the_session_key(
    codes: list[str], client: Client, clock: Any
) -> None:
    begin(client)
    before = client.cookies["sessionid"].value
    clock.shift(30)
    client.post("/login/code/", {"code": code_at(NOW + 30)})
    assert client.cookies["sessionid"].value != before


def test_a_fresh_login_needs_the_second_factor(
    codes: list[str], viewer_client: Client, clock: Any
) -> None:
    session = viewer_client.session
    session[FRESH] = 0
    session.save()
    form = {"name": "x", "days": "30"}
    with_password = {**form, "confirm-login-password": PASSWORD}
    assert viewer_client.post("/tokens/", with_password).status_code == 403
    clock.shift(30)
    with_code = {**form, "confirm-login-code": code_at(NOW + 30)}
    assert viewer_client.post("/tokens/", with_code).status_code == 200
    assert ApiToken.objects.count() == 1


def test_the_last_factor_takes_the_recovery_codes_with_it(
    codes: list[str], viewer_client: Client, operator_client: Client
) -> None:
    address = f"/account/second-factor/{Authenticator.objects.get(type='totp').pk}/remove/"
    assert operator_client.post(address).status_code == 404
    assert viewer_client.post(address).status_code == 302
    assert not Authenticator.objects.exists()


def test_second_factor_page_after_used_codes_counts_those_left(
    codes: list[str], viewer: User, viewer_client: Client
) -> None:
    assert recovery_codes_left(viewer) == 10
    for code in codes[:8]:
        assert code_verify(user=viewer, code=code) == "recovery code"
    assert recovery_codes_left(viewer) == 2
    page = viewer_client.get("/account/second-factor/")
    assert page.context["codes_left"] == 2
    viewer_client.post("/account/second-factor/recovery-codes/")
    assert recovery_codes_left(viewer) == 10


def test_recovery_codes_left_without_a_second_factor_is_zero(viewer: User) -> None:
    assert recovery_codes_left(viewer) == 0


def test_page_of_a_user_without_a_second_factor_offers_no_reset(
    codes: list[str], viewer: User, admin: User, admin_client: Client
) -> None:
    assert "reset-second-factor" in admin_client.get(f"/users/{viewer.pk}/").content.decode()
    assert "reset-second-factor" not in admin_client.get(f"/users/{admin.pk}/").content.decode()
    rows = admin_client.get("/users/?sort=second_factor").context["page"].rows
    assert {row.username: row.has_factor for row in rows} == {"viewer": True, "admin": False}


def test_new_recovery_codes_end_the_old_ones(
    codes: list[str], viewer_client: Client, viewer: User
) -> None:
    new = viewer_client.post("/account/second-factor/recovery-codes/").context["codes"]
    assert not set(new) & set(codes)
    assert code_verify(user=viewer, code=codes[0]) == ""
    assert code_verify(user=viewer, code=new[0]) == "recovery code"


def test_the_command_removes_everything_and_ends_sessions(
    codes: list[str], viewer_client: Client
) -> None:
    assert is_in(viewer_client)
    out = StringIO()
    call_command("reset_mfa", "viewer", stdout=out)
    assert out.getvalue().startswith("1 ")  # the app; its recovery codes are no second factor
    assert not Authenticator.objects.exists()
    assert not is_in(viewer_client)
    with pytest.raises(CommandError):
        call_command("reset_mfa", "nobody")


@pytest.mark.parametrize(("policy", "name", "is_free"), [
    ("optional", "admin", True), ("admins", "viewer", True), ("admins", "admin", False),
    ("everybody", "viewer", False),
])  # fmt: skip
def test_the_policy_leads_to_the_page_that_adds_one(
    settings: LazySettings, viewer: User, admin: User, page_client: Callable[[User], Client],
    policy: str, name: str, is_free: bool,
) -> None:  # fmt: skip
    settings.BENCHLAB_MFA = policy
    user = {"viewer": viewer, "admin": admin}[name]
    client = page_client(user)
    answer = client.get("/runs/")
    assert answer.status_code == (200 if is_free else 302)
    assert client.get("/api/v1/hosts/").status_code == (200 if is_free else 403)
    assert client.get("/account/second-factor/").status_code == 200
    totp_activate(user=user, secret=SECRET, code=code_at(time.time()))
    assert client.get("/runs/").status_code == 200
    Authenticator.objects.filter(user=user).delete()
    assert client.get("/runs/").status_code == (200 if is_free else 302)


def test_people_of_a_removed_provider_need_a_second_factor(
    settings: LazySettings, viewer: User, viewer_client: Client
) -> None:
    settings.BENCHLAB_MFA = "everybody"
    User.objects.filter(pk=viewer.pk).update(signed_on_at=timezone.now())
    assert viewer_client.get("/runs/").status_code == 302
    settings.OIDC = SignOn("https://sso.lab", "benchlab")
    assert viewer_client.get("/runs/").status_code == 200


def test_a_passkey_answer_of_nonsense_is_refused(codes: list[str], client: Client) -> None:
    begin(client)
    for text in ("{}", "[]", "x", '{"id": 1}', '{"response": {"userHandle": "x"}}', "9" * 20_001):
        client.post("/login/code/", {"credential": text})
        assert not is_in(client)


def test_a_registration_of_nonsense_is_refused(viewer_client: Client) -> None:
    for text in ("{}", "[]", "x", '{"id": "a", "response": {}}'):
        form = {"name": "x", "credential": text}
        assert viewer_client.post("/account/second-factor/passkey/", form).status_code == 400
    assert not Authenticator.objects.exists()
