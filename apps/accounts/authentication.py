"""API tokens: who a script is, and that a read-only token only reads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from secrets import compare_digest
from typing import Any

from django.db import connection
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework import exceptions
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from apps.accounts.models import ApiToken, User
from apps.accounts.selectors import WINDOW, wrong_tokens_must_wait
from apps.accounts.services import wrong_token_presented
from apps.common.database.written import columns_of, row_of
from apps.common.web.request import current_address

TOKENS = f"""
SELECT {columns_of(ApiToken, "t")}, {columns_of(User, "u")}
FROM accounts_apitoken t JOIN accounts_user u ON u.id = t.user_id WHERE t.token_key = %s
""".strip()
USED_AT_STEP = timedelta(minutes=1)


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc] # knox ships no type information
    """`Authorization: Token ...`. Remembers when a token was last used, to the minute, and that
    one was wrong."""

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
        _remember_use(token)
        return user, token

    def _count_wrong(self) -> None:
        """A right token is never refused for others' wrong ones: 256 random bits are not guessed.
        What is bounded is what a program without one can cost."""
        if self.expired:
            return
        if wrong_tokens_must_wait(address=current_address()):
            raise exceptions.Throttled(WINDOW.total_seconds())
        wrong_token_presented()

    def authenticate_credentials(self, token: bytes) -> tuple[User, ApiToken]:
        if not token.isalnum():  # what is made here is hexadecimal
            raise exceptions.AuthenticationFailed(_("Invalid token."))
        said = token.decode()
        for row in _tokens(said[: CONSTANTS.TOKEN_KEY_LENGTH]):
            if not self._cleanup_token(row) and compare_digest(hash_token(said), row.digest):
                found: tuple[User, ApiToken] = self.validate_user(row)
                return found
        raise exceptions.AuthenticationFailed(_("Invalid token."))

    def _cleanup_token(self, auth_token: Any) -> bool:
        """An expired token is refused but kept, so that its owner sees on the page why a script
        stopped working."""
        self.expired = bool(auth_token.is_expired)
        return self.expired


def _tokens(key: str) -> Iterator[ApiToken]:
    """Tokens that begin so, each with its user's row."""
    with connection.cursor() as cursor:
        cursor.execute(TOKENS, [key])
        rows = cursor.fetchall()
    wide = len(ApiToken._meta.concrete_fields)
    for values in rows:
        row, user = row_of(ApiToken, values[:wide]), row_of(User, values[wide:])
        if row is not None and user is not None:
            row.user = user
            yield row


def _remember_use(token: ApiToken) -> None:
    """Writes at most once a minute a token, however many requests come, also from several
    processes."""
    now = timezone.now()
    if token.last_used_at is None or token.last_used_at < now - USED_AT_STEP:
        stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_AT_STEP)
        ApiToken.objects.filter(stale, pk=token.pk).update(last_used_at=now)
