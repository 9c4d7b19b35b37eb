"""API tokens: who a script is, and that a read-only token only reads."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from apps.accounts.domain import WINDOW
from apps.accounts.models import ApiToken, User
from apps.accounts.selectors import is_token_auth_throttled
from apps.accounts.services import token_mark_used, wrong_token_presented
from apps.common.web.request import current_address


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc] # knox ships no type information
    """`Authorization: Token ...`. Remembers when a token was last used, to the minute, and that
    one was wrong.
    """

    expired = False

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        try:
            found = super().authenticate(request)
        except exceptions.AuthenticationFailed:
            self._count_wrong()
            raise
        if found is None:
            return None
        user, token = found
        if token.read_only and request.method not in SAFE_METHODS:
            raise exceptions.PermissionDenied(_("This token may only read."))
        token_mark_used(token=token)
        return user, token

    def _count_wrong(self) -> None:
        """A right token is never refused for others' wrong ones: 256 random bits are not guessed.
        What is bounded is what a program without one can cost.
        """
        if self.expired:
            return
        if is_token_auth_throttled(address=current_address()):
            raise exceptions.Throttled(WINDOW.total_seconds())
        wrong_token_presented()

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        if not token.isalnum():  # what is made here is hexadecimal
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        found: tuple[User, ApiToken] = super().authenticate_credentials(token)
        return found

    def _cleanup_token(self, auth_token: Any) -> bool:
        """An expired token is refused but kept, so that its owner sees on the page why a script
        stopped working.
        """
        self.expired = bool(auth_token.is_expired)
        return self.expired
