"""Every version of every stored shape is kept as a file and still read.

`stored/<app>.<Model>.<field>.<version>.json` is a document as that version wrote it, and is never
changed. Version 0 did not name itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.db import models

from apps.common.stored.contracts import ContractField

STORED = Path(__file__).parent / "stored"


def fields() -> Iterator[tuple[str, models.Field[object, object]]]:
    for model in apps.get_models():
        if model.__module__.startswith("apps."):
            for field in model._meta.concrete_fields:
                if isinstance(field, models.JSONField):
                    yield f"{model._meta.app_label}.{model.__name__}.{field.name}", field


CONTRACTS = {name: field for name, field in fields() if isinstance(field, ContractField)}
VERSIONS = [
    (name, version)
    for name, field in CONTRACTS.items()
    for version in range(field.contract.version + 1)
]


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_each_version_is_read(name: str, version: int) -> None:
    contract = CONTRACTS[name].contract
    document = json.loads((STORED / f"{name}.{version}.json").read_text())
    said = document.get("version", 0) if isinstance(document, dict) else 0
    assert said == version
    value = contract.read(document)
    assert contract.plain(value), "a sample that says nothing proves nothing"
    assert contract.read(contract.write(value)) == value
    if version == contract.version:
        assert json.loads(json.dumps(contract.write(value))) == document


def test_no_sample_is_of_a_shape_that_is_gone() -> None:
    known = {f"{name}.{version}.json" for name, version in VERSIONS}
    assert {path.name for path in STORED.iterdir()} == known
