"""A provider of OpenID Connect in the process of the test."""

from __future__ import annotations

import pytest
from django.conf import LazySettings

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.tests.oidc_provider import CLIENT_ID, ISSUER, TestProvider

RULES = (("/storage-admins", "admin"), ("/storage", "operator"))


@pytest.fixture
def provider(settings: LazySettings, monkeypatch: pytest.MonkeyPatch, db: None) -> TestProvider:
    settings.OIDC = SignOn(
        ISSUER, CLIENT_ID, "secret", "Lab SSO", roles=RULES, team_prefix="/teams/"
    )
    result = TestProvider()
    session = "apps.accounts.allauth_adapters.SocialAdapter.get_requests_session"
    monkeypatch.setattr(session, lambda self: result)
    return result
