"""Every JSON column has a contract, or a type that is checked here."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from django.apps import apps
from django.db import models

from apps.accounts.models import User
from apps.common.fields.versioned_json import SchemaField
from apps.execution.tests.test_outcome import GOOD_EXIT
from apps.inventory.models import Disk
from apps.remote.job_spec import Fingerprint
from apps.remote.responses import Exit
from apps.runs.models import AttemptJob, JobState
from apps.tools.targets import PoolPlan
from apps.tools.values import Parameters
from benchlab.tests.api_world import create_world


def fields() -> Iterator[tuple[str, models.Field[object, object]]]:
    for model in apps.get_models():
        if model.__module__.startswith("apps."):
            for field in model._meta.concrete_fields:
                if isinstance(field, models.JSONField):
                    yield f"{model._meta.app_label}.{model.__name__}.{field.name}", field


CONTRACTS = {name for name, field in fields() if isinstance(field, SchemaField)}

# Columns whose type says itself which version it is, or which keep what somebody said as it came.
# Facts and disks are read through inventory.schemas, which takes what it knows of them. A job's
# specification is tried on both sides, and of each version, in remote/tests/test_job_spec.py.
TYPED: dict[str, object] = {
    "accounts.AuditEntry.detail": dict[str, object],
    "inventory.HostFacts.facts": dict[str, object],
    "inventory.Disk.facts": dict[str, object],
    "inventory.Disk.fingerprint": Fingerprint,
    "plans.Workload.params": Parameters,
    "runs.RunBackground.params": Parameters,
    "runs.RunTargetMember.pool_layout": PoolPlan,
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
    assert {name for name, _field in fields()} - CONTRACTS == set(TYPED)


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
    assert set(TYPED) - seen <= {"runs.RunTargetMember.pool_layout", "runs.RunBackground.params"}
