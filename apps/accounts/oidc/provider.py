"""The provider of the settings: metadata and keys (cached), redirect, code for tokens.

Redirect, state, PKCE and token request are django-allauth's. The redirect gets its parameters
here, because allauth's login page takes any parameter from `?auth_params=`.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

import requests
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.internal.statekit import unstash_state
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone

from apps.accounts.domain.sign_on import SignOn, SignOnRefused
from apps.accounts.oidc.memory import forget, recall, remember, remember_first

CACHE_SECONDS = 300
REFRESH_SECONDS = 60
AWAY_KEY = "away"
AWAY_SECONDS = 24 * 3600
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
FAILURES = (requests.RequestException, ValueError, KeyError, TypeError, AttributeError)
"""Errors of the network, and of documents that are not what the standard says."""

Document = Mapping[str, Any]


def sign_on_settings() -> SignOn:
    """Return the settings. Raises: SignOnRefused without a provider."""
    sign_on: SignOn | None = settings.OIDC
    if sign_on is None:
        raise SignOnRefused("provider")
    return sign_on


def metadata(*, is_refreshed: bool = False) -> Document:
    """Return the provider's metadata (OpenID Connect Discovery 1.0, section 4).

    Raises: SignOnRefused if it does not answer, names another issuer (section 4.3), or lacks an
    endpoint.
    """
    sign_on = sign_on_settings()
    address = f"{sign_on.issuer.rstrip('/')}/.well-known/openid-configuration"
    name = f"metadata {sign_on.issuer}"
    if is_refreshed:
        forget(name)
    document = _cached(name, address)
    if document.get("issuer") != sign_on.issuer:
        raise SignOnRefused("token", f"issuer {document.get('issuer')!r}")
    for endpoint in ENDPOINTS:
        if not str(document.get(endpoint)).startswith(("https://", "http://")):
            raise SignOnRefused("provider", f"no {endpoint}")
    return document


def key_set(*, is_refreshed: bool = False) -> Document:
    """Return the provider's keys (RFC 7517). Raises: SignOnRefused."""
    name = f"keys {sign_on_settings().issuer}"
    address = str(metadata().get("jwks_uri"))
    # Anybody can send a token with an unknown key, so the keys are fetched at most once a minute.
    if is_refreshed and remember_first(f"refreshed {name}", 1, REFRESH_SECONDS):
        forget(name)
    return _cached(name, address)


def _cached(name: str, address: str) -> Document:
    document: Document | None = recall(name)
    if document is None:
        document = fetch(address)
        remember(name, document, CACHE_SECONDS)
    return document


def fetch(address: str, headers: Mapping[str, str] | None = None) -> Document:
    """Return a JSON object of the provider. Raises: SignOnRefused."""
    try:
        with get_adapter().get_requests_session() as session:
            response = session.get(address, headers=dict(headers or {}))
        if response.status_code != requests.codes.ok:
            raise requests.HTTPError(str(response.status_code))
        document = response.json()
    except FAILURES as error:
        raise _is_away(error) from error
    forget(AWAY_KEY)
    if not isinstance(document, dict):
        raise SignOnRefused("provider", "no JSON object")
    return document


def _is_away(error: Exception) -> SignOnRefused:
    """Remember since when the provider does not answer. Return the refusal."""
    remember_first(AWAY_KEY, timezone.now().isoformat(timespec="seconds"), AWAY_SECONDS)
    return SignOnRefused("away", type(error).__name__)


def away_since() -> str:
    """Return since when the provider does not answer, as ISO 8601 in UTC; "" if it does."""
    return str(recall(AWAY_KEY) or "")


class Provider(OpenIDConnectProvider):  # type: ignore[misc] # allauth ships no type information
    """The provider of the settings. Accounts are stored by (issuer, sub)."""

    def __init__(self, request: HttpRequest) -> None:
        sign_on = sign_on_settings()
        app = SocialApp(
            provider=OpenIDConnectProvider.id,
            provider_id=sign_on.issuer,
            name=sign_on.name[:40],
            client_id=sign_on.client_id,
            secret=sign_on.client_secret,
            settings={"server_url": sign_on.issuer, "oauth_pkce_enabled": True},
        )
        super().__init__(request, app=app)

    def get_oauth2_adapter(self, request: HttpRequest) -> Adapter:
        return Adapter(request)


class Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc] # allauth ships no type information
    """Endpoints of the provider, from the cached metadata."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request, sign_on_settings().issuer)

    def get_provider(self) -> Provider:
        return Provider(self.request)

    @property
    def openid_config(self) -> Document:
        return metadata()

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        path = reverse("sign_on_callback")
        base: str = settings.PUBLIC_URL.rstrip("/")
        return f"{base}{path}" if base else request.build_absolute_uri(path)


def redirect_to_provider(
    request: HttpRequest,
    *,
    next_url: str = "",
    data: Mapping[str, Any] | None = None,
    is_fresh: bool = False,
) -> HttpResponseRedirect:
    """Redirect to the provider; `data` and `next_url` return with the state.

    `is_fresh`: the person authenticates again there. Raises: SignOnRefused.
    """
    nonce = secrets.token_urlsafe(16)
    params = {"nonce": nonce}
    if is_fresh:
        params |= {"prompt": "login", "max_age": "0"}
        if acr := sign_on_settings().acr_values:
            params["acr_values"] = acr
    provider = Provider(request)
    response: HttpResponseRedirect = provider.redirect(
        request,
        "login",
        next_url=next_url,
        data={"nonce": nonce, **(data or {})},
        auth_params=params,
        scope=["openid", "profile", "email"],
    )
    return response


def take_state(request: HttpRequest) -> dict[str, Any]:
    """Return the state of this callback and forget it. Raises: SignOnRefused."""
    state: dict[str, Any] | None = unstash_state(
        request,
        state_id=request.GET.get("state", ""),
        provider_id=sign_on_settings().issuer,
    )
    if state is None:
        raise SignOnRefused("state")
    return state


def tokens_for_code(request: HttpRequest, state: Mapping[str, Any]) -> Document:
    """Exchange the code for tokens. Raises: SignOnRefused."""
    provider = Provider(request)
    adapter = provider.get_oauth2_adapter(request)
    client = adapter.get_client(request, provider.app)
    try:
        tokens = client.get_access_token(
            request.GET.get("code", ""), pkce_code_verifier=state.get("pkce_code_verifier")
        )
    except requests.JSONDecodeError as error:
        raise SignOnRefused("code") from error
    except requests.RequestException as error:
        raise _is_away(error) from error
    except (OAuth2Error, *FAILURES) as error:
        raise SignOnRefused("code") from error
    forget(AWAY_KEY)
    if not isinstance(tokens, dict):
        raise SignOnRefused("code")
    return tokens
