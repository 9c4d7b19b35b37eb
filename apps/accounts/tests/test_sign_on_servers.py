"""Sign-on at providers that others wrote: oauth2-mock-server, and oidc-provider (certified)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import requests
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from playwright.sync_api import sync_playwright
from pytest_django.live_server_helper import LiveServer

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, AuditEntry, Role, Session, User
from apps.accounts.sessions import SessionStore
from tests.harness.node_servers import node_server

pytestmark = pytest.mark.extended
RULES = (("/storage-admins", "admin"), ("/storage", "operator"))
PERSON = {"sub": "7", "preferred_username": "grace", "groups": ["/storage"]}
Tell = Callable[..., None]


@pytest.fixture
def tell(settings: LazySettings, db: None) -> Iterator[Tell]:
    """`tell(name=value)` sets claims of the next tokens; None deletes one."""
    with node_server("mock_provider.mjs") as server:
        settings.OIDC = SignOn(server["issuer"], "benchlab", "secret", roles=RULES)

        def tell(user_info: dict[str, Any] | None = None, **claims: Any) -> None:
            body = {"id": PERSON | claims, "userinfo": user_info or {}}
            requests.post(server["control"], json=body, timeout=30)

        tell()
        yield tell


def follow(client: Client, start: str = "/login/sign-on/") -> Any:
    """Go to the provider and back as a browser does."""
    there = requests.get(client.get(start)["Location"], allow_redirects=False, timeout=30)
    back = there.headers["Location"]
    return client.get(back.partition("http://testserver")[2])


def reasons() -> list[str]:
    rows = AuditEntry.objects.filter(action="fail to sign on").order_by("pk")
    return [row.detail["reason"] for row in rows]


def test_a_sign_on_with_pkce_and_a_real_signature(tell: Tell, client: Client) -> None:
    assert follow(client)["Location"] == "/"
    assert User.objects.get().role == Role.OPERATOR


@pytest.mark.parametrize(("claims", "reason"), [
    ({"iss": "https://evil.example"}, "token"),
    ({"aud": "another"}, "token"),
    ({"groups": None}, "no_groups"),
    ({"groups": [f"/g{number}" for number in range(201)]}, "too_many_groups"),
    ({"groups": None, "_claim_names": {"groups": "src1"}}, "too_many_groups"),
    ({"nonce": "another"}, "token"),
    ({"iat": 4_000_000_000}, "clock"),
    ({"exp": 1_000_000_000}, "token"),
    ({"iat": 1_000_000_000}, "clock"),
])  # fmt: skip
def test_a_forged_claim_is_refused(
    tell: Tell, client: Client, claims: dict[str, Any], reason: str
) -> None:
    tell(**claims)
    assert follow(client).status_code == 400
    assert reasons() == [reason]
    assert not User.objects.exists()


def test_a_provider_that_ignores_max_age_does_not_confirm(tell: Tell, client: Client) -> None:
    follow(client)
    for auth_time in (1_700_000_000, None):
        tell(auth_time=auth_time)
        assert follow(client, "/login/sign-on/confirm/").status_code == 400
    assert reasons() == ["stale", "stale"]


@pytest.fixture
def certified(settings: LazySettings, transactional_db: None) -> Iterator[str]:
    """oidc-provider with benchlab as its client; gives benchlab's address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    site = LiveServer("127.0.0.1")
    own = site.url
    addresses = (f"{own}/login/sign-on/callback/", f"{own}/login/sign-on/logout/")
    with node_server("oidc_provider.mjs", str(port), *addresses) as server:
        secret = "a secret of the test, long enough"
        settings.OIDC = SignOn(
            server["issuer"], "benchlab", secret, "Lab SSO", roles=RULES, team_prefix="/teams/"
        )
        settings.PUBLIC_URL = own
        yield own
    site.stop()


@pytest.mark.browser
def test_a_browser_signs_on_confirms_and_is_logged_out_by_the_provider(
    certified: str, settings: LazySettings
) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(f"{certified}/login/?next=/account/logins/")
        page.get_by_role("link", name="Log in with Lab SSO").click()
        answer_provider(page)
        page.wait_for_url("**/account/logins/")
        assert page.get_by_text("this browser").count() == 1
        page.goto(f"{certified}/login/sign-on/confirm/")
        answer_provider(page)
        page.get_by_text("Identity confirmed").first.wait_for()
        assert settings.OIDC is not None
        page.goto(f"{settings.OIDC.issuer}/session/end")
        page.get_by_role("button", name="Yes, sign me out").click()
        page.wait_for_load_state()
        page.goto(f"{certified}/account/logins/")
        assert page.url.startswith(f"{certified}/login/")
        browser.close()
    user = User.objects.get(username="grace")
    assert (user.role, [team.name for team in user.teams.all()]) == (Role.ADMIN, ["SSD"])
    assert AuditEntry.objects.filter(action="log out at the provider").exists()


@pytest.mark.browser
def test_a_form_waits_in_its_tab_while_the_provider_confirms(
    certified: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")  # Playwright's loop runs in this thread
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        page.goto(f"{certified}/login/sign-on/?next=/tokens/")
        answer_provider(page)
        page.wait_for_url("**/tokens/")
        store = SessionStore(Session.objects.get(user__username="grace").session_key)
        store[FRESH] = 0
        store.save()
        page.get_by_label("What it is for").fill("nightly")
        page.get_by_role("button", name="Make the token").click()
        with page.context.expect_page() as opened:
            page.get_by_role("link", name="Confirm at Lab SSO").click()
        answer_provider(opened.value)
        opened.value.get_by_text("Identity confirmed").first.wait_for()
        assert not ApiToken.objects.exists()
        page.get_by_role("button", name="Continue").click()
        page.get_by_text("This is the new token").wait_for()
        connection.close()  # of Playwright's loop, which has its own
        browser.close()
    assert ApiToken.objects.get().name == "nightly"
    assert AuditEntry.objects.get(action="confirm login").detail == {"by": "provider"}


def answer_provider(page: Any) -> None:
    """Fill in the provider's own pages: login, then consent."""
    page.locator("input[name=login]").fill("grace")
    page.locator("input[name=password]").fill("any")
    page.locator("button[type=submit]").click()
    page.wait_for_load_state()
    if "interaction" in page.url:
        page.locator("button[type=submit]").click()
