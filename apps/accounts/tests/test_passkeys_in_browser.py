"""Passkeys in Chromium with a virtual authenticator (WebDriver BiDi's CDP domain WebAuthn)."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from playwright.sync_api import Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from apps.accounts.fresh_login import FRESH
from apps.accounts.models import ApiToken, AuditEntry, Role, Session
from apps.accounts.sessions import SessionStore
from apps.accounts.tests.factories import create_user

CHROMIUM = shutil.which("chromium")
PASSWORD = "a long password"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        client = page.context.new_cdp_session(page)
        client.send("WebAuthn.enable")
        client.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
        yield page
        browser.close()


@pytest.fixture(autouse=True)
def async_unsafe() -> Iterator[None]:
    """Playwright's event loop runs in the thread of the test, which reads rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "1")
        yield


@pytest.fixture
def site(async_unsafe: None, transactional_db: None) -> Iterator[str]:
    """benchlab at a name: an IP address is no domain of passkeys."""
    server = LiveServer("localhost")
    yield server.url
    server.stop()


def log_in(page: Page, address: str) -> None:
    page.goto(f"{address}/login/?next=/tokens/")
    page.get_by_label("Username").fill("holder")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()


def test_a_passkey_is_added_logs_in_and_confirms(page: Page, site: str) -> None:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    create_user(role=Role.ADMIN, username="holder")
    log_in(page, site)
    page.goto(f"{site}/account/second-factor/passkey/")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Make the passkey").click()
    page.get_by_text("Each code logs you in once").wait_for()
    assert Authenticator.objects.filter(type="webauthn").count() == 1

    page.context.clear_cookies()
    log_in(page, site)
    page.wait_for_url("**/login/code/")
    page.get_by_role("button", name="Use a passkey").click()
    page.wait_for_url("**/tokens/")
    assert AuditEntry.objects.filter(action="log in", detail__by="passkey").exists()

    row = Session.objects.filter(user__username="holder").latest("since")
    store = SessionStore(row.session_key)
    store[FRESH] = 0
    store.save()
    page.get_by_label("What it is for").fill("nightly")
    page.get_by_role("button", name="Make the token").click()
    page.get_by_text("Confirm your identity").first.wait_for()
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_text("This is the new token").wait_for()
    assert ApiToken.objects.get().name == "nightly"
    assert errors == []


def test_a_passkey_of_another_browser_does_not_log_in(page: Page, site: str) -> None:
    user = create_user(username="holder")
    data = {"name": "lost", "credential": {}}
    other = create_user(username="other")
    log_in(page, site)
    page.goto(f"{site}/account/second-factor/passkey/")
    page.get_by_label("Name").fill("laptop")
    page.get_by_role("button", name="Make the passkey").click()
    page.get_by_text("Each code logs you in once").wait_for()
    stored = Authenticator.objects.get(user=user, type="webauthn")
    stored.data = {**data, "credential": stored.data["credential"]}
    stored.user = other  # the key now belongs to another user
    stored.save()
    Authenticator.objects.create(user=user, type="totp", data={"secret": "x"})
    page.context.clear_cookies()
    log_in(page, site)
    page.wait_for_url("**/login/code/")
    assert page.get_by_role("button", name="Use a passkey").count() == 0
