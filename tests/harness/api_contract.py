"""The API's committed document as a judge: every answer a test gets is held against
docs/reference/openapi.yaml.
"""

from __future__ import annotations

import functools
import json
import re
from pathlib import Path
from typing import Any

import yaml
from django.http import HttpResponseBase
from jsonschema import Draft4Validator, FormatChecker
from rest_framework.test import APIClient

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "reference" / "openapi.yaml"
# Addresses below /api/v1/ that describe the API and so are not described by it.
ABOUT = ("/api/v1/", "/api/v1/schema/", "/api/v1/docs/")
SILENT = ("HEAD", "OPTIONS")


class BreaksContract(AssertionError):
    """An answer that docs/reference/openapi.yaml does not allow."""


class ContractClient(APIClient):
    """DRF's client; an answer that the document does not allow fails the test that asked."""

    def generic(  # type: ignore[override] # passes on whatever DRF's and Django's clients take
        self, method: str, path: str, *args: Any, **kwargs: Any
    ) -> Any:
        response = super().generic(method, path, *args, **kwargs)
        check(method, path.partition("?")[0], response)
        return response


def check(method: str, path: str, response: HttpResponseBase) -> None:
    """Raises BreaksContract unless the document allows this answer to this request."""
    if method in SILENT or not path.startswith("/api/v1/") or path in ABOUT:
        return
    where = f"{method} {path} answered {response.status_code}"
    found = answer_schema(method, path, response.status_code)
    if found is None:
        raise BreaksContract(f"{where}, which docs/reference/openapi.yaml does not know.")
    _check_body(where, found, response)


def answer_schema(method: str, path: str, status: int) -> dict[str, Any] | None:
    """The document's "content" for this answer; None when there is no such answer."""
    operations = operations_at(path)
    if operations is None or method.lower() not in operations:
        refused = {401, 403, 405} if operations is not None else {404}
        return _error_content() if status in refused else None
    answer = operations[method.lower()]["responses"].get(str(status))
    return None if answer is None else dict(answer.get("content", {}))


def operations_at(path: str) -> dict[str, Any] | None:
    """The path item an address belongs to; a literal path wins over one with parameters."""
    paths: dict[str, Any] = document()["paths"]
    if path in paths:
        return dict(paths[path])
    return next((paths[name] for name, pattern in _patterns() if pattern.fullmatch(path)), None)


def _check_body(where: str, content: dict[str, Any], response: HttpResponseBase) -> None:
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    if not content:
        body = b"" if response.streaming else getattr(response, "content", b"")
        if body:
            raise BreaksContract(f"{where} with a body; the document says it has none.")
        return
    if kind not in content:
        raise BreaksContract(f"{where} as {kind!r}; the document says {sorted(content)}.")
    if kind == "application/json":
        errors = list(_validator(_frozen(content[kind]["schema"])).iter_errors(_json(response)))
        if errors:
            told = "; ".join(f"{e.json_path}: {e.message[-200:]}" for e in errors[:5])
            raise BreaksContract(f"{where}, not as the document says: {told}")


def _json(response: Any) -> Any:
    return json.loads(response.content)


@functools.cache
def document() -> dict[str, Any]:
    """The committed document."""
    loaded: dict[str, Any] = yaml.load(DOCUMENT.read_text(), Loader=yaml.CSafeLoader)
    return loaded


@functools.cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    names = [name for name in document()["paths"] if "{" in name]
    return [(name, re.compile(re.sub(r"\{\w+\}", "[^/]+", name))) for name in names]


def _error_content() -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def _frozen(schema: dict[str, Any]) -> str:
    return json.dumps(schema, sort_keys=True)


@functools.cache
def _validator(schema: str) -> Draft4Validator:
    root = {"allOf": [strict(json.loads(schema))], "components": _strict_components()}
    return Draft4Validator(root, format_checker=FormatChecker())


@functools.cache
def _strict_components() -> dict[str, Any]:
    schemas = document()["components"]["schemas"]
    return {"schemas": {name: strict(schema) for name, schema in schemas.items()}}


def strict(schema: Any) -> Any:
    """OpenAPI 3.0's dialect as JSON schema, where an object has no more than its named fields.

    OpenAPI's `nullable` (OpenAPI Specification 3.0.3, Schema Object) becomes a choice with null.
    """
    if isinstance(schema, list):
        return [strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    made = {name: strict(value) for name, value in schema.items()}
    if isinstance(made.get("properties"), dict) and "type" in made:
        made.setdefault("additionalProperties", False)
    if made.pop("nullable", False) is True:
        return {"anyOf": [made, {"type": "null"}]}
    return made
