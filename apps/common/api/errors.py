"""DRF's exception handler: one format for every error of the API.

Separate from apps.common.errors, because importing DRF takes a command 0.2 s.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, ValidationError
from django.db.models import ProtectedError, RestrictedError
from django.utils.translation import gettext as _
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from apps.common.database.availability import (
    RETRY_SECONDS,
    is_database_unavailable,
    unavailable_message,
)
from apps.common.errors import (
    WHOLE,
    Fields,
    ServiceError,
    error_body,
    is_unique_violation,
    named,
    sentence_of,
    taken_words,
    validation_fields,
)

log = logging.getLogger(__name__)

ViewContext = dict[str, Any]
"""Failed view, its request and arguments, as DRF passes them."""


def api_exception_handler(error: Exception, context: ViewContext) -> Response | None:
    """Return the response of an error of benchlab, Django or DRF; None for a defect (500)."""
    if isinstance(error, ServiceError):
        body = error_body(error.status, error.message, error.fields, error.kind)
        return _rolled_back(error, context, error.status, body)
    if isinstance(error, ValidationError):
        fields = validation_fields(error)
        return _rolled_back(
            error, context, 400, error_body(400, sentence_of(fields), named(fields))
        )
    if isinstance(error, ProtectedError | RestrictedError):
        message = _("It is still in use, so it cannot be deleted.")
        return _rolled_back(error, context, 409, error_body(409, message))
    if is_unique_violation(error):
        return _rolled_back(error, context, 409, error_body(409, taken_words()))
    if isinstance(error, RequestDataTooBig):
        return _rolled_back(error, context, 413, error_body(413, _("The body is too large.")))
    if is_database_unavailable(error):
        log.warning("the database does not answer: %s", error)
        retry = {"Retry-After": str(RETRY_SECONDS)}
        return Response(error_body(503, unavailable_message(error)), status=503, headers=retry)
    response = exception_handler(error, context)
    if response is not None:
        response.data = _drf_body(error, response)
    return response


def _rolled_back(error: Exception, context: ViewContext, status_code: int, body: Any) -> Response:
    """Return the response and mark the transaction for rollback through DRF's handler."""
    exception_handler(exceptions.APIException(str(error)), context)
    return Response(body, status=status_code)


def _drf_body(error: Exception, response: Response) -> Any:
    code = response.status_code
    if isinstance(error, exceptions.ValidationError):
        fields: Fields = {}
        for name, text in _flat(error.detail):
            fields.setdefault("" if name in WHOLE else name, []).append(text)
        return error_body(code, sentence_of(fields), named(fields))
    if code == status.HTTP_404_NOT_FOUND:
        return error_body(code, _("There is nothing with this address."))
    detail = error.detail if isinstance(error, exceptions.APIException) else response.data["detail"]
    return error_body(code, str(detail))


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield nested errors with dotted names.

    {"steps": [{"tool": ["x"]}]} yields ("steps.0.tool", "x").
    """
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            name = "" if name in WHOLE else str(name)
            yield from _flat(inner, ".".join(part for part in (path, name) if part))
    elif isinstance(detail, list):
        for number, inner in enumerate(detail):
            nested = isinstance(inner, Mapping | list)
            yield from _flat(inner, f"{path}.{number}".lstrip(".") if nested else path)
    else:
        yield path, str(detail)
