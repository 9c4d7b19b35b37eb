"""Every version of every stored shape is kept as a file and still read.

`stored/<app>.<Model>.<field>.<version>.json` is a document as that version wrote it, and is never
changed. Version 0 did not name itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from django.apps import apps
from django.db import models

from apps.accounts.models import User
from apps.common.stored.contracts import ContractField
from apps.execution.tests.test_judgement import GOOD_EXIT
from apps.inventory.models import Disk
from apps.remote.answers import Exit
from apps.remote.job_spec import Fingerprint
from apps.runs.models import AttemptJob, JobState
from apps.tools.base import PoolPlan
from apps.tools.values import Parameters, RawParameters
from benchlab.tests.api_world import create_world

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


# Columns whose type says itself which version it is, or which keep what somebody said as it came.
# Facts and disks are read through inventory.contract, which takes what it knows of them. A job's
# specification is tried on both sides, and of each version, in remote/tests/test_job_spec.py.
TYPED: dict[str, object] = {
    "accounts.AuditEntry.detail": dict[str, object],
    "inventory.HostFacts.data": dict[str, object],
    "inventory.Disk.data": dict[str, object],
    "inventory.Disk.fingerprint": Fingerprint,
    "plans.PlanStep.params": RawParameters,
    "plans.Workload.params": Parameters,
    "runs.Member.make": PoolPlan,
    "runs.AttemptJob.spec": dict[str, object],
    "runs.AttemptJob.exit": Exit,
    "results.Measurement.percentiles": dict[str, float],
    "results.Measurement.values": dict[str, object],
}


FINGERPRINT: Fingerprint = {
    "version": 1,
    "size": 1 << 30,
    "blocks": "0a1b",
    "written": True,
    "discarded": False,
    "backing": None,
}


def test_every_other_column_has_a_type() -> None:
    assert {name for name, _field in fields()} - set(CONTRACTS) == set(TYPED)


def test_what_a_filled_database_holds_is_of_its_type(owner: User) -> None:
    world = create_world(owner)
    Disk.objects.filter(pk=world.disk.pk).update(fingerprint=FINGERPRINT)
    AttemptJob.objects.update(state=JobState.DONE, exit=GOOD_EXIT)
    seen = set[str]()
    for name, kind in TYPED.items():
        label, _dot, field = name.rpartition(".")
        for value in apps.get_model(label).objects.values_list(field, flat=True):
            if value is not None:
                msgspec.convert(value, kind)
                seen |= {name} if value else set()
    assert set(TYPED) - seen <= {"runs.Member.make"}
