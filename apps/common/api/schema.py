"""OpenAPI document: stable names, and every error of an operation."""

from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

ERROR_SCHEMA = {
    "type": "object",
    "description": "What was refused, and why.",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["kind", "message", "fields"],
            "properties": {
                "kind": {"type": "string", "description": "A stable word for programs."},
                "message": {"type": "string", "description": "A sentence for people."},
                "fields": {
                    "type": "object",
                    "description": "What is wrong, by field; empty when no field is to blame.",
                    "additionalProperties": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}
ALWAYS = {
    "400": "The request is not valid.",
    "401": "No valid token or session.",
    "403": "Your role or the owner does not allow this.",
    "404": "There is nothing with this address.",
    "405": "This address does not know the method.",
    "406": "Only JSON is answered.",
    "429": "Too many wrong tokens came from this address.",
}
WRITING = {
    "409": "It conflicts with what is there.",
    "413": "The body is too large.",
    "415": "Only JSON is taken.",
}
REMOVABLE = {"410": "It was removed; the message says when and by which rule."}
UNENDED = {"409": "A run has not ended."}
METHODS = ("get", "post", "patch", "put", "delete")


def inner_docs() -> list[type]:
    """Return classes whose docstrings are not part of the API's documentation."""
    # Imported late, as in drf-spectacular: the settings name this function.
    from drf_spectacular.plumbing import get_lib_doc_excludes

    from apps.common.api import serializers, viewsets

    ours: list[type] = [viewsets.ReadViewSet, viewsets.WriteViewSet]
    ours += [serializers.StrictSerializer, serializers.StrictModelSerializer]
    return [*get_lib_doc_excludes(), *ours]  # type: ignore[no-untyped-call] # it has no types


OpenApi = dict[str, Any]
"""Part of an OpenAPI document (spec.openapis.org/oas/v3.0.3)."""


class BenchlabSchema(AutoSchema):
    """Operations grouped by the first part of the path."""

    def get_tags(self) -> list[str]:
        parts = self.path.removeprefix("/api/v1/").split("/")
        return [parts[0]] if parts[0] else []


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # spectacular registers subclasses by an untyped hook
    """Security scheme of API tokens."""

    target_class = "apps.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> OpenApi:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token <secret>`; a token is made on the page “API tokens”.",
        }


def document_errors(result: OpenApi, generator: Any, request: Any, public: bool) -> OpenApi:
    """Add to each operation its 4xx responses."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas["Error"] = ERROR_SCHEMA
    for path, operations in result.get("paths", {}).items():
        for method in METHODS:
            if method in operations:
                codes = ALWAYS if method == "get" else ALWAYS | WRITING
                codes = codes | REMOVABLE if "/artifacts/" in path else codes
                codes = codes | UNENDED if path.endswith("/gate/") else codes
                for code, words in codes.items():
                    operations[method]["responses"].setdefault(code, _answer(words))
    return result


def _answer(words: str) -> OpenApi:
    reference = {"$ref": "#/components/schemas/Error"}
    return {"description": words, "content": {"application/json": {"schema": reference}}}
