"""One shape for everything the API refuses."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from rest_framework import exceptions

from apps.common.api.errors import api_exception_handler
from apps.common.errors import ServiceError, from_validation_error


def answer(error: Exception) -> tuple[int, Any]:
    response = api_exception_handler(error, {})
    assert response is not None
    return response.status_code, response.data["error"]


def test_refused_says_its_sentence_its_fields_and_its_status() -> None:
    status, body = answer(ServiceError("No such host.", {"address": "Unknown."}, status=400))
    assert status == 400
    assert body == {
        "kind": "invalid",
        "message": "No such host.",
        "fields": {"address": ["Unknown."]},
    }


def test_refused_is_a_conflict_unless_it_says_otherwise() -> None:
    assert answer(ServiceError("It runs."))[0] == 409


def test_a_subclass_may_name_its_kind() -> None:
    class PlanSaysNo(ServiceError):
        kind = "plan"

    assert answer(PlanSaysNo("No."))[1]["kind"] == "plan"


def test_django_validation_errors_are_named_by_field() -> None:
    status, body = answer(ValidationError({"name": ["Too long."], "__all__": ["Not both."]}))
    assert status == 400
    assert body["fields"] == {"name": ["Too long."]}
    assert body["message"] == "Not both. Check these fields: name."


def test_nested_errors_get_dotted_names() -> None:
    detail: Any = {"steps": [{}, {"params": {"size": ["A size."]}}], "name": ["Needed."]}
    _status, body = answer(exceptions.ValidationError(detail))
    assert body["fields"] == {"steps.1.params.size": ["A size."], "name": ["Needed."]}


@pytest.mark.parametrize(
    ("error", "status", "kind"),
    [
        (exceptions.NotAuthenticated(), 401, "not_authenticated"),
        (exceptions.PermissionDenied(), 403, "not_allowed"),
        (exceptions.NotFound(), 404, "not_found"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.UnsupportedMediaType("text/plain"), 415, "unsupported_media_type"),
    ],
)
def test_every_status_has_a_word(error: Exception, status: int, kind: str) -> None:
    found, body = answer(error)
    assert (found, body["kind"]) == (status, kind)
    assert body["message"].endswith(".")
    assert body["fields"] == {}


def test_a_defect_is_left_to_the_500_page() -> None:
    assert api_exception_handler(KeyError("x"), {}) is None


def test_a_form_error_becomes_a_refusal_with_status_400() -> None:
    refused = from_validation_error(ValidationError({"path": ["Absolute, please."]}))
    assert (refused.status, refused.fields) == (400, {"path": ["Absolute, please."]})
