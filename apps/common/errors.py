"""Errors of services: one JSON format for scripts, one page for browsers.

The document is `{"error": {"kind": "conflict", "message": "...", "fields": {"name": ["..."]}}}`;
`fields` is empty unless inputs are invalid. The kinds are listed in docs/reference/api.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.core.exceptions import NON_FIELD_ERRORS, ValidationError
from django.db import IntegrityError
from django.utils.translation import gettext as _
from psycopg.errors import UniqueViolation

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
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_requests",
    500: "server_error",
    503: "unavailable",
}
WHOLE = (NON_FIELD_ERRORS, "non_field_errors", "detail", "")


class ServiceError(Exception):
    """Refused request, with a message for the user.

    `fields` names the invalid inputs ({"address": "No such host."}); `status` is a 4xx code.
    """

    kind: ClassVar[str] = ""

    def __init__(
        self, message: str, fields: Mapping[str, str | list[str]] | None = None, status: int = 409
    ) -> None:
        super().__init__(str(message))
        self.message = str(message)
        self.fields: Fields = {
            name: [str(text) for text in (value if isinstance(value, list) else [value])]
            for name, value in (fields or {}).items()
        }
        self.status = status


def error_body(status_code: int, message: str, fields: Fields | None = None, kind: str = "") -> Any:
    """Return the JSON body of an error."""
    kind = kind or KINDS.get(status_code, "error")
    return {"error": {"kind": kind, "message": str(message), "fields": fields or {}}}


def is_unique_violation(error: BaseException | None) -> bool:
    """Return True if the database refused a duplicate row, as in a race of two requests."""
    return isinstance(error, IntegrityError) and isinstance(error.__cause__, UniqueViolation)


def taken_words() -> str:
    return _("Somebody else has just made the same. Look at what is there now, and try again.")


def validation_fields(error: ValidationError) -> Fields:
    """Return Django's errors by field; those of the whole form under ""."""
    if hasattr(error, "error_dict"):
        return {
            "" if name in WHOLE else name: [str(text) for text in texts]
            for name, texts in error.message_dict.items()
        }
    return {"": [str(text) for text in error.messages]}


def from_validation_error(error: ValidationError) -> ServiceError:
    """Convert Django's ValidationError of `full_clean` to a ServiceError with status 400."""
    fields = validation_fields(error)
    return ServiceError(sentence_of(fields), dict(named(fields)), status=400)


def named(fields: Fields) -> Fields:
    """Return the errors of single inputs, without those of the whole form."""
    return {name: texts for name, texts in fields.items() if name}


def sentence_of(fields: Fields) -> str:
    """Return one message for all errors."""
    whole = fields.get("", [])
    names = [name for name in fields if name]
    if names:
        whole = [*whole, _("Check these fields: %(names)s.") % {"names": ", ".join(names)}]
    return " ".join(whole) or _("The request is not valid.")
