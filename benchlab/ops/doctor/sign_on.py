"""Check the OpenID Connect provider: its metadata and its keys."""

from __future__ import annotations

from urllib.parse import urlsplit

import jwt
from django.conf import settings

from apps.accounts.domain.sign_on import SignOnRefused
from apps.accounts.models import Role, User
from apps.accounts.oidc.provider import key_set, metadata
from apps.accounts.selectors import last_admin_beyond_groups
from benchlab.ops.findings import Finding, note, ok, wrong


def sign_on() -> list[Finding]:
    """Return findings about the provider, and about the login without it."""
    if settings.OIDC is None:
        return []
    try:
        metadata(is_refreshed=True)
        count = len(jwt.PyJWKSet.from_dict(dict(key_set(is_refreshed=True))).keys)
    except SignOnRefused as refusal:
        text = f"sign-on: {settings.OIDC.issuer}: {refusal.reason} {refusal.detail}".rstrip()
        return [wrong(text, "see BENCHLAB_OIDC_ISSUER; its /.well-known/openid-configuration")]
    except jwt.PyJWTError as error:
        return [wrong(f"sign-on: the provider's keys: {error}", "see jwks_uri of its metadata")]
    found = [ok(f"sign-on: {settings.OIDC.issuer} answers; {count} keys")]
    if urlsplit(settings.OIDC.issuer).scheme != "https":
        found.append(note("sign-on: the issuer is not https", "use https; others can read tokens"))
    return found + _last_admin() + _break_glass()


def _last_admin() -> list[Finding]:
    """Return a finding if the last admin stays one against the groups of the provider."""
    if (user := last_admin_beyond_groups()) is None:
        return []
    text = f"sign-on: {user.username} is the last admin; the provider's groups grant another role"
    return [wrong(text, "make another user an admin, or repair the groups")]


def _break_glass() -> list[Finding]:
    """Return a note if no admin could log in while the provider is away."""
    local = User.objects.filter(role=Role.ADMIN, is_active=True, signed_on_at=None)
    has_password = any(user.has_usable_password() for user in local)
    if has_password and settings.BENCHLAB_PASSWORD_LOGIN != "nobody":
        return []
    text = "sign-on: no admin logs in while the provider does not answer"
    return [note(text, "create a local admin; BENCHLAB_PASSWORD_LOGIN=admins lets them in")]
