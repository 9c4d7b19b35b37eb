"""Settings of sign-on and the second factor; imported by benchlab.settings."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from apps.accounts.domain.sign_on import SignOn, parse_role_rules
from benchlab.env import env_choice, env_int, env_secret, env_str

MAX_ISSUER = 200  # length of django-allauth's column


def _sign_on() -> SignOn | None:
    issuer = env_str("BENCHLAB_OIDC_ISSUER").strip()
    if not issuer:
        return None
    if urlsplit(issuer).scheme not in ("http", "https") or not urlsplit(issuer).hostname:
        raise ImproperlyConfigured("BENCHLAB_OIDC_ISSUER must be a URL such as https://sso.lab.")
    if len(issuer) > MAX_ISSUER:
        raise ImproperlyConfigured(f"BENCHLAB_OIDC_ISSUER has more than {MAX_ISSUER} characters.")
    client_id = env_str("BENCHLAB_OIDC_CLIENT_ID")
    if not client_id:
        raise ImproperlyConfigured("BENCHLAB_OIDC_ISSUER needs BENCHLAB_OIDC_CLIENT_ID.")
    try:
        roles = parse_role_rules(env_str("BENCHLAB_OIDC_ROLES"))
    except ValueError as error:
        raise ImproperlyConfigured(f"BENCHLAB_OIDC_ROLES: {error}") from error
    return SignOn(
        issuer=issuer,
        client_id=client_id,
        client_secret=env_secret("BENCHLAB_OIDC_CLIENT_SECRET"),
        name=env_str("BENCHLAB_OIDC_NAME") or "OpenID Connect",
        groups_claim=env_str("BENCHLAB_OIDC_GROUPS_CLAIM") or "groups",
        roles=roles,
        team_prefix=env_str("BENCHLAB_OIDC_TEAMS"),
        no_group=env_choice("BENCHLAB_OIDC_NO_GROUP", "refuse", "viewer"),
        acr_values=env_str("BENCHLAB_OIDC_ACR_VALUES"),
    )


OIDC = _sign_on()
BENCHLAB_OIDC_TOKEN_DAYS = env_int("BENCHLAB_OIDC_TOKEN_DAYS", 14)
BENCHLAB_PASSWORD_LOGIN = env_choice("BENCHLAB_PASSWORD_LOGIN", "everybody", "admins", "nobody")
if BENCHLAB_PASSWORD_LOGIN == "nobody" and OIDC is None:
    raise ImproperlyConfigured("BENCHLAB_PASSWORD_LOGIN=nobody needs BENCHLAB_OIDC_ISSUER.")
# Whom a login with the password asks for a second factor.
BENCHLAB_MFA = env_choice("BENCHLAB_MFA", "optional", "admins", "everybody")

# --- django-allauth: client, models and cryptography; pages and URLs are benchlab's own ----------
SOCIALACCOUNT_ADAPTER = "apps.accounts.allauth_adapters.SocialAdapter"
ACCOUNT_ADAPTER = "apps.accounts.allauth_adapters.AccountAdapter"
SOCIALACCOUNT_STORE_TOKENS = False
ACCOUNT_EMAIL_VERIFICATION = "none"
MFA_ADAPTER = "apps.accounts.mfa_adapter.MfaAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_TOLERANCE = 1  # steps of 30 s that the clock of a phone may differ
