"""Fixtures and helpers of the tests of approvals."""

from __future__ import annotations

from typing import Any

import pytest

from apps.accounts.models import Role, User
from apps.accounts.tests.factories import create_user
from apps.inventory.models import Disk
from apps.plans.models import TestPlan
from apps.runs.domain.effects import effects_digest
from apps.runs.models import ApprovalPolicy, Run, RunApproval
from apps.runs.selectors.effects import run_effects
from apps.runs.services.approvals import (
    approval_decide,
    approval_policy_save,
)
from apps.runs.services.leases import run_try_start
from apps.runs.services.runs import run_launch
from apps.runs.tests.factories import create_disk, create_host, create_plan


@pytest.fixture
def approver(db: None) -> User:
    return create_user(role=Role.DISK_OWNER, username="approver")


@pytest.fixture
def disk(owner: User) -> Disk:
    return create_disk(host=create_host(), owner=owner, fingerprint=None)


@pytest.fixture
def plan(owner: User, disk: Disk) -> TestPlan:
    return create_plan(owner=owner, target=disk)


@pytest.fixture
def policy(admin: User) -> ApprovalPolicy:
    fields = {"name": "long runs", "over_hours": 0.0}
    return approval_policy_save(user=admin, fields=fields)


def launched(plan: TestPlan, user: User) -> Run:
    return run_launch(plan=plan, user=user)


def starts(run: Run) -> bool:
    started = run_try_start(run_id=run.pk, worker="test") is not None
    run.refresh_from_db()
    return started


def digest_of(run: Run) -> str:
    return effects_digest(run_effects(run).effects)


def approved(run: Run, user: User, **fields: Any) -> RunApproval:
    values: dict[str, Any] = {"digest": digest_of(run), "approve": True}
    return approval_decide(run=run, user=user, **values | fields)
