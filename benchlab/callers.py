"""The sender of a request, found out before anything of its body is read."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from rest_framework.exceptions import APIException
from rest_framework.request import Request

from apps.accounts.authentication import TokenAuthentication
from apps.accounts.sessions import session_user
from apps.common.database.connections import no_connection_kept
from apps.common.web.middleware import look_at_caller


async def refusal_of(scope: Any) -> int:
    """The status with which this caller is refused, 0 for a user: a token or a session decides."""
    return await sync_to_async(_refusal)(scope)


def _refusal(scope: Any) -> int:
    request = ASGIRequest(scope, BytesIO())
    look_at_caller(request)
    try:
        with no_connection_kept():
            return 0 if _is_by_a_user(request) else 401
    except APIException as error:
        return error.status_code
    except DatabaseError:
        return 503


def _is_by_a_user(request: ASGIRequest) -> bool:
    if TokenAuthentication().authenticate(Request(request)):
        return True
    return session_user(request.COOKIES.get(settings.SESSION_COOKIE_NAME)) is not None
