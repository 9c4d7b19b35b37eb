"""Every call of the client against docs/reference/openapi.yaml."""

from __future__ import annotations

import inspect
import io
import json
import re
import typing
from email.parser import BytesParser
from email.policy import HTTP
from types import NoneType
from typing import Any, BinaryIO, cast

import httpx
import pytest
from jsonschema import Draft4Validator

from benchlab_client import Client, Measurements, types
from benchlab_client.base import BaseClient
from tests.harness.api_contract import document, operations_at, strict

SAMPLES: dict[str, Any] = {
    "health": "ok", "priority": "high", "origin": "imported", "verdict": "missed", "view": "sweep",
    "hosts.kind": "ssh", "bookings.kind": "booking", "search.kind": "runs", "book.kind": "booking",
    "analysis.format": "json", "report_document.format": "pdf", "imports.state": "read",
    "setting": "scheduler",
    "runs.state": ["failed", "lost"], "cases.state": ["failed"], "metric": "iops",
    "confirm_wipe": True,
    "starts_at": "2026-03-01T20:00:00Z", "ends_at": "2026-03-01T21:00:00Z",
    "after": "2026-03-01T20:00:00Z", "before": "2026-03-01T20:00:00Z",
    "queued_after": "2026-03-01T20:00:00Z", "queued_before": "2026-03-01T20:00:00Z",
    "steps": [{"tool": "fio", "params": {"rw": "read"}}], "targets": ["disk:1"],
}  # fmt: skip
MORE: dict[str, dict[str, Any]] = {
    "analysis": {"run": [1], "tag": "x"},
    "measurements": {"least_iops": 5.0},
    "book": {"weekly": True, "time_zone": "UTC"},
    "plan_create": {"repeats": 3, "tunings": [1]},
    "plan_check": {"repeats": 3, "tunings": [1]},
    "upload": {"name": "n", "host_name": "h", "target_name": "t", "tuning_name": "u", "note": "x"},
}
"""Samples of `**more`, `**fields` and `**selection`."""
NOT_SENT = {("report_document", "file"), ("upload", "files")}
BASE = set(dir(BaseClient))
CALLS = sorted(name for name in dir(Client) if not name.startswith("_") and name not in BASE)


class Recorded:
    """The last request, and a smallest answer that the document allows."""

    request: httpx.Request

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.request = request
        operation = self.operation()
        status, answer = next(
            (code, one) for code, one in operation["responses"].items() if code.startswith("2")
        )
        content = answer.get("content", {})
        if "application/json" not in content:
            return httpx.Response(int(status), content=b"")
        return httpx.Response(int(status), json=smallest(content["application/json"]["schema"]))

    def operation(self) -> dict[str, Any]:
        operations = operations_at(self.request.url.path)
        assert operations, f"no {self.request.url.path} in the document"
        method = self.request.method.lower()
        assert method in operations, f"no {method} {self.request.url.path} in the document"
        return cast(dict[str, Any], operations[method])


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    if "allOf" in schema:
        return resolved(schema["allOf"][0])
    name = schema.get("$ref", "").rpartition("/")[2]
    return document()["components"]["schemas"][name] if name else schema


def smallest(schema: dict[str, Any]) -> Any:
    """The least JSON value of a schema."""
    if schema.get("nullable"):
        return None
    schema = resolved(schema)
    if "enum" in schema:
        return schema["enum"][0]
    if "oneOf" in schema:
        return smallest(schema["oneOf"][0])
    fields = schema.get("properties", {})
    if fields or schema.get("type") == "object":
        return {name: smallest(fields[name]) for name in schema.get("required", ())}
    simple: dict[str, Any] = {
        "string": "x", "integer": 1, "number": 1.5, "boolean": True, "array": [],
    }  # fmt: skip
    return simple.get(schema.get("type", ""))


def sample(call: str, name: str, hint: Any) -> Any:
    for key in (f"{call}.{name}", name):
        if key in SAMPLES:
            return SAMPLES[key]
    members = typing.get_args(hint) if typing.get_origin(hint) is typing.Union else (hint,)
    kind = next(one for one in members if one is not NoneType)
    if kind is BinaryIO:
        return io.BytesIO()
    if typing.get_origin(kind) is not None:  # Sequence[int], Sequence[Tuple[str, BinaryIO]]
        inner = typing.get_args(kind)[0]
        if typing.get_origin(inner) is tuple:
            return [("folder/fio.json", io.BytesIO(b"{}"))]
        return [sample(call, "", inner)]
    return {int: 7, str: "word", bool: True, float: 2.5}[kind]


def arguments(call: str) -> dict[str, Any]:
    """A sample of every parameter of a call."""
    method = getattr(Client, call)
    hints = typing.get_type_hints(method)
    found = {
        name: sample(call, name, hints[name])
        for name, one in inspect.signature(method).parameters.items()
        if name != "self" and one.kind is not inspect.Parameter.VAR_KEYWORD
    }
    return {**found, **MORE.get(call, {})}


def perform(client: Client, call: str, given: dict[str, Any]) -> None:
    answer = getattr(client, call)(**given)
    if isinstance(answer, Measurements) or inspect.isgenerator(answer):
        list(answer)


@pytest.mark.parametrize("call", CALLS)
def test_a_call_is_in_the_document(call: str) -> None:
    recorded = Recorded()
    client = Client("http://lab", "token", http=httpx.MockTransport(recorded))
    given = arguments(call)
    perform(client, call, given)
    operation, sent = recorded.operation(), set()
    known = {one["name"]: one["schema"] for one in operation.get("parameters", ())}
    for name, text in recorded.request.url.params.multi_items():
        assert name in known, f"{call} sends the unknown parameter {name}"
        check(text, known[name])
        sent.add(name)
    sent |= check_body(recorded.request, operation)
    sent |= {"idempotency_key"} if "Idempotency-Key" in recorded.request.headers else set()
    in_path = re.findall(r"/(?:7|word|sweep)/", recorded.request.url.path)
    lost = {n for n in given if (call, n) not in NOT_SENT} - sent
    assert len(lost) == len(in_path), f"{call} does not send {lost}"


def test_required_arguments_alone_make_a_valid_request() -> None:
    """What has a default may be left out."""
    for call in CALLS:
        recorded = Recorded()
        client = Client("http://lab", "token", http=httpx.MockTransport(recorded))
        parameters = inspect.signature(getattr(Client, call)).parameters
        needed = {
            name: value
            for name, value in arguments(call).items()
            if name in parameters and parameters[name].default is inspect.Parameter.empty
            and parameters[name].kind is not inspect.Parameter.VAR_KEYWORD
        }  # fmt: skip
        perform(client, call, needed)
        operation = recorded.operation()
        check_body(recorded.request, operation)
        required = {
            one["name"] for one in operation.get("parameters", ())
            if one.get("required") and one["in"] == "query"
        }  # fmt: skip
        assert required <= set(recorded.request.url.params), call


def check(text: str, schema: dict[str, Any]) -> None:
    """A parameter's text has the type that the document states."""
    schema = resolved(schema)
    schema = resolved(schema["items"]) if schema.get("type") == "array" else schema
    value: Any = text
    if schema.get("type") in ("integer", "number", "boolean"):
        value = json.loads(text)
    Draft4Validator(strict(schema)).validate(value)


def check_body(request: httpx.Request, operation: dict[str, Any]) -> set[str]:
    """The body has the fields of the document, and all required ones."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        assert request.read() in (b"", b"{}")
        return set()
    kind, described = next(iter(content.items()))
    assert request.headers["Content-Type"].startswith(kind)
    if kind == "multipart/form-data":
        return check_form(request, resolved(described["schema"]))
    body = json.loads(request.read())
    schemas = document()["components"]["schemas"]
    components = {"schemas": {name: strict(one) for name, one in schemas.items()}}
    Draft4Validator({"allOf": [strict(described["schema"])], "components": components}).validate(
        body
    )
    return set(body)


def check_form(request: httpx.Request, schema: dict[str, Any]) -> set[str]:
    head = f"Content-Type: {request.headers['Content-Type']}\r\n\r\n".encode()
    form = BytesParser(policy=HTTP).parsebytes(head + request.read())
    names = {str(p.get_param("name", header="content-disposition")) for p in form.iter_parts()}
    assert names <= set(schema["properties"])
    assert set(schema["required"]) <= names
    return names


TYPED = [one for one in vars(types).values() if typing.is_typeddict(one)]


@pytest.mark.parametrize("typed", TYPED, ids=lambda one: one.__name__)
def test_a_typed_answer_has_the_fields_of_the_document(typed: Any) -> None:
    fields = document()["components"]["schemas"][typed.__name__]["properties"]
    for name, hint in typing.get_type_hints(typed).items():
        assert name in fields, f"{typed.__name__}.{name} is not in the document"
        if hint is not Any:
            nullable = NoneType in typing.get_args(hint)
            assert nullable == bool(fields[name].get("nullable")), f"{typed.__name__}.{name}"
            assert kinds_of(hint) <= {"object"} | json_kinds(fields[name]), (typed.__name__, name)


def kinds_of(hint: Any) -> set[str]:
    """The JSON types of a hint, without null."""
    names = {str: "string", int: "integer", float: "number", bool: "boolean"}
    if hint in names:
        return {names[hint]}
    if typing.get_origin(hint) is list:
        return {"array"}
    if typing.get_origin(hint) is typing.Union:
        return {
            kind for one in typing.get_args(hint) if one is not NoneType for kind in kinds_of(one)
        }
    return {"object"}


def json_kinds(schema: dict[str, Any]) -> set[str]:
    if "oneOf" in schema:
        return {kind for one in schema["oneOf"] for kind in json_kinds(one)}
    schema = resolved(schema)
    if "enum" in schema:
        return {"string"}
    return {schema["type"]} if "type" in schema else {"object"}
