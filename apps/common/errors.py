"""Refusals and errors as they are answered: one shape for scripts, one page for browsers.

The document is `{"error": {"kind": "conflict", "message": "A sentence.", "fields": {"name":
["..."]}}}`; `fields` is empty when the error is not about what was typed. docs/api/index.md lists
the kinds.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.exceptions import NON_FIELD_ERRORS, RequestDataTooBig, ValidationError
from django.db import IntegrityError
from django.db.models import ProtectedError, RestrictedError
from django.utils.translation import gettext as _
from psycopg.errors import UniqueViolation
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from apps.common.database.away import RETRY_SECONDS, away_sentence, database_is_away

log = logging.getLogger(__name__)

Fields = dict[str, list[str]]

KINDS = {
    400: "invalid",
    401: "not_authenticated",
    403: "not_allowed",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    409: "conflict",
    410: "gone",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    500: "server_error",
    503: "unavailable",
}
WHOLE = (NON_FIELD_ERRORS, "non_field_errors", "detail", "")


class Refused(Exception):
    """A service says no, in a sentence for the person who asked. Pages show it, the API answers
    with `status`.

    `fields` names the inputs that are wrong ({"address": "No such host."}); `status` is a 4xx code.
    """

    kind: ClassVar[str] = ""

    def __init__(
        self, message: str, fields: Mapping[str, str | list[str]] | None = None, status: int = 409
    ) -> None:
        super().__init__(str(message))
        self.message = str(message)
        self.fields: Fields = {
            name: [str(text) for text in ([said] if not isinstance(said, list) else said)]
            for name, said in (fields or {}).items()
        }
        self.status = status


def error_body(status_code: int, message: str, fields: Fields | None = None, kind: str = "") -> Any:
    """The one shape of every error of the API."""
    kind = kind or KINDS.get(status_code, "error")
    return {"error": {"kind": kind, "message": str(message), "fields": fields or {}}}


ViewContext = dict[str, Any]
"""The failed view, its request and arguments, as REST framework hands them over."""


def api_exception_handler(error: Exception, context: ViewContext) -> Response | None:
    """DRF's EXCEPTION_HANDLER: what benchlab, Django and DRF refuse, in the one shape; None for a
    defect (500)."""
    if isinstance(error, Refused):
        body = error_body(error.status, error.message, error.fields, error.kind)
        return _rolled_back(error, context, error.status, body)
    if isinstance(error, ValidationError):
        fields = validation_fields(error)
        return _rolled_back(error, context, 400, error_body(400, _sentence(fields), _named(fields)))
    if isinstance(error, ProtectedError | RestrictedError):
        message = _("It is still in use, so it cannot be deleted.")
        return _rolled_back(error, context, 409, error_body(409, message))
    if is_taken(error):
        return _rolled_back(error, context, 409, error_body(409, taken_words()))
    if isinstance(error, RequestDataTooBig):
        return _rolled_back(error, context, 413, error_body(413, _("The body is too large.")))
    if database_is_away(error):
        log.warning("the database does not answer: %s", error)
        retry = {"Retry-After": str(RETRY_SECONDS)}
        return Response(error_body(503, away_sentence()), status=503, headers=retry)
    response = exception_handler(error, context)
    if response is not None:
        response.data = _drf_body(error, response)
    return response


def is_taken(error: BaseException | None) -> bool:
    """Whether the database refused a row because there is one like it: two asked for the same at
    once, and each was told before that it is free."""
    return isinstance(error, IntegrityError) and isinstance(error.__cause__, UniqueViolation)


def taken_words() -> str:
    return _("Somebody else has just made the same. Look at what is there now, and try again.")


def validation_fields(error: ValidationError) -> Fields:
    """Django's errors by field; those about the whole under ""."""
    if hasattr(error, "error_dict"):
        return {
            "" if name in WHOLE else name: [str(text) for text in texts]
            for name, texts in error.message_dict.items()
        }
    return {"": [str(text) for text in error.messages]}


def refusal(error: ValidationError) -> Refused:
    """Django's ValidationError as a Refused with status 400, for services that check with
    `full_clean`."""
    fields = validation_fields(error)
    return Refused(_sentence(fields), dict(_named(fields)), status=400)


def _rolled_back(error: Exception, context: ViewContext, status_code: int, body: Any) -> Response:
    """DRF's own handler marks the transaction for rollback; it is asked with an error it knows."""
    exception_handler(exceptions.APIException(str(error)), context)
    return Response(body, status=status_code)


def _drf_body(error: Exception, response: Response) -> Any:
    code = response.status_code
    if isinstance(error, exceptions.ValidationError):
        fields: Fields = {}
        for name, text in _flat(error.detail):
            fields.setdefault("" if name in WHOLE else name, []).append(text)
        return error_body(code, _sentence(fields), _named(fields))
    if code == status.HTTP_404_NOT_FOUND:
        return error_body(code, _("There is nothing with this address."))
    detail = error.detail if isinstance(error, exceptions.APIException) else response.data["detail"]
    return error_body(code, str(detail))


def _flat(detail: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Nested errors with dotted names: {"steps": [{"tool": ["x"]}]} gives ("steps.0.tool", "x")."""
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


def _named(fields: Fields) -> Fields:
    return {name: texts for name, texts in fields.items() if name}


def _sentence(fields: Fields) -> str:
    whole = fields.get("", [])
    names = [name for name in fields if name]
    if names:
        whole = [*whole, _("Check these fields: %(names)s.") % {"names": ", ".join(names)}]
    return " ".join(whole) or _("The request is not valid.")
