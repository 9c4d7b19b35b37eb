"""The doctor looks at the provider and at the login without it."""

from __future__ import annotations

import pytest
from django.conf import LazySettings

from apps.accounts.domain.sign_on import SignOn
from apps.accounts.models import Role
from apps.accounts.tests.factories import create_user
from apps.accounts.tests.oidc_provider import CLIENT_ID, ISSUER, TestProvider
from benchlab.ops.doctor.sign_on import sign_on

pytestmark = pytest.mark.django_db


@pytest.fixture
def provider(settings: LazySettings, monkeypatch: pytest.MonkeyPatch) -> TestProvider:
    settings.OIDC = SignOn(ISSUER, CLIENT_ID)
    result = TestProvider()
    session = "apps.accounts.allauth_adapters.SocialAdapter.get_requests_session"
    monkeypatch.setattr(session, lambda self: result)
    return result


def test_without_a_provider_nothing_is_checked() -> None:
    assert sign_on() == []


def test_an_answering_provider_and_a_local_admin_are_fine(provider: TestProvider) -> None:
    create_user(role=Role.ADMIN)
    assert [finding.level for finding in sign_on()] == ["ok"]


def test_without_a_local_admin_there_is_a_note(
    provider: TestProvider, settings: LazySettings
) -> None:
    assert [finding.level for finding in sign_on()] == ["ok", "note"]
    create_user(role=Role.ADMIN)
    settings.BENCHLAB_PASSWORD_LOGIN = "nobody"
    assert [finding.level for finding in sign_on()] == ["ok", "note"]


def test_an_absent_provider_and_another_issuer_are_wrong(provider: TestProvider) -> None:
    provider.metadata_issuer = "https://other.example"
    assert [finding.level for finding in sign_on()] == ["wrong"]


def test_a_provider_that_does_not_answer_is_wrong(provider: TestProvider) -> None:
    provider.is_away = True
    assert [finding.level for finding in sign_on()] == ["wrong"]
