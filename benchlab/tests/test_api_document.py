"""docs/reference/openapi.yaml is what the code says, and every address of the API is in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.harness.api_contract import (
    DOCUMENT,
    BreaksContract,
    ContractClient,
    check,
    document,
    strict,
)

PROJECT = Path(__file__).resolve().parents[2]
REFRESH = "bin/manage spectacular --validate --fail-on-warn --file docs/reference/openapi.yaml"


def test_the_committed_document_is_the_present_one(tmp_path: Any) -> None:
    fresh = tmp_path / "openapi.yaml"
    # In a process of its own: tests that add a field or a tool leave their classes in this one.
    command = [sys.executable, "manage.py", "spectacular", "--validate", "--fail-on-warn"]
    subprocess.run([*command, "--file", str(fresh)], cwd=PROJECT, check=True)
    same = fresh.read_text() == DOCUMENT.read_text()
    assert same, f"docs/reference/openapi.yaml is not what the code says. Refresh it: {REFRESH}"


def test_every_operation_has_a_name_of_its_own_and_a_group() -> None:
    found = [
        operation
        for operations in document()["paths"].values()
        for operation in operations.values()
    ]
    names = [operation["operationId"] for operation in found]
    assert len(names) == len(set(names)) > 50
    assert all(operation["tags"] != [""] for operation in found)


def test_the_schema_is_served(admin: Any, api: Any) -> None:
    answer = api(admin).get("/api/v1/schema/")
    assert answer.status_code == 200
    served = yaml.safe_load(answer.content)
    assert served["paths"].keys() == document()["paths"].keys()


@pytest.fixture
def answered(admin: Any, api: Any) -> Any:
    return api(admin).get("/api/v1/hosts/")


def test_the_client_refuses_a_field_nobody_documented(answered: Any) -> None:
    answered.content = b'{"next": null, "previous": null, "results": [], "more": 1}'
    with pytest.raises(BreaksContract, match="more"):
        check("GET", "/api/v1/hosts/", answered)


def test_the_client_refuses_a_missing_field_and_a_wrong_type(answered: Any) -> None:
    answered.content = b'{"next": 3, "previous": null}'
    with pytest.raises(BreaksContract, match=r"results.*required|next"):
        check("GET", "/api/v1/hosts/", answered)


def test_the_client_refuses_an_undocumented_status(answered: Any) -> None:
    answered.status_code = 418
    with pytest.raises(BreaksContract, match="418"):
        check("GET", "/api/v1/hosts/", answered)


def test_the_client_refuses_a_page_in_place_of_json(answered: Any) -> None:
    answered.headers["Content-Type"] = "text/html; charset=utf-8"
    with pytest.raises(BreaksContract, match="text/html"):
        check("GET", "/api/v1/hosts/", answered)


def test_api_clients_are_the_checking_ones(api: Any) -> None:
    assert isinstance(api(None), ContractClient)


def test_nullable_becomes_a_choice_with_null() -> None:
    assert strict({"type": "string", "nullable": True}) == {
        "anyOf": [{"type": "string"}, {"type": "null"}]
    }
