"""Authentication of scripts by API token; a read-only token only reads.

A view lists its actions that store nothing in `dry_actions`: a read-only token may POST to them.

A token opens what its scope names: the API, or /metrics. A stolen token for /metrics reads neither
results nor hosts.

A token expires at `ApiToken.expiry`, which `apps.accounts.services.tokens.token_create` sets from
BENCHLAB_TOKEN_DAYS; `TokenAuthentication._cleanup_token` refuses expired ones, and
`apps.accounts.services.retention` deletes them 90 days later.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework import exceptions
from rest_framework.authentication import get_authorization_header
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from apps.accounts.models import ApiToken, User
from apps.accounts.services import (
    is_token_auth_throttled,
    refusal_record,
    token_mark_used,
    tokens_have_ended,
    wrong_token_presented,
)
from apps.accounts.services.throttling import WINDOW
from apps.common.web.request import current_address

WRONG_SCOPE = {
    ApiToken.Scope.API: _("This token opens /metrics only."),
    ApiToken.Scope.METRICS: _("This needs a token for /metrics. An admin can create one."),
}


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc] # knox ships no type information
    """`Authorization: Token ...`; records the last use, to the minute, and wrong tokens."""

    is_expired_token = False
    scope = ApiToken.Scope.API

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        if get_authorization_header(request).lower().startswith(b"bearer "):
            raise exceptions.AuthenticationFailed(
                _("The scheme of benchlab's tokens is Token: send “Authorization: Token …”.")
            )
        try:
            result = super().authenticate(request)
        except exceptions.AuthenticationFailed:
            self._count_wrong()
            raise
        if result is None:
            return None
        user, token = result
        if token.scope != self.scope:
            raise _refused(request, user, str(WRONG_SCOPE[self.scope]))
        if tokens_have_ended(user):
            raise exceptions.AuthenticationFailed(
                _("Your tokens stopped, because your last sign-on is too old. Log in once.")
            )
        if token.read_only and not _stores_nothing(request):
            raise _refused(request, user, str(_("This token may only read.")))
        token_mark_used(token=token)
        return user, token

    def _count_wrong(self) -> None:
        """Count a wrong token and raise if there were too many.

        A valid token is never refused because of others' wrong ones: 256 random bits cannot be
        guessed. The limit bounds the cost of a program without a token.
        """
        if self.is_expired_token:
            return
        if is_token_auth_throttled(address=current_address()):
            raise exceptions.Throttled(WINDOW.total_seconds())
        wrong_token_presented()

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        if not token.isalnum():  # tokens are hexadecimal
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        result: tuple[User, ApiToken] = super().authenticate_credentials(token)
        return result

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Refuse an expired token, but keep it: its page shows why a script stopped."""
        self.is_expired_token = bool(auth_token.is_expired)
        return self.is_expired_token


def _refused(request: Request, user: User, reason: str) -> exceptions.PermissionDenied:
    """Record what a token does not open; the response has no user that middleware could record."""
    refusal_record(user=user, method=request.method or "", path=request.path, reason=reason)
    return exceptions.PermissionDenied(reason)


def _stores_nothing(request: Request) -> bool:
    view = request.parser_context.get("view")
    is_dry = getattr(view, "action", None) in getattr(view, "dry_actions", ())
    return request.method in SAFE_METHODS or is_dry


class MetricsAuthentication(TokenAuthentication):
    """`Authorization: Token ...` with a token for /metrics."""

    scope = ApiToken.Scope.METRICS
