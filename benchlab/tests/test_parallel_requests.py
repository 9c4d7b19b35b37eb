"""The same request from several people at once: everybody gets an answer, nobody a defect."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import IntegrityError, connections, transaction
from django.test import RequestFactory
from rest_framework.test import APIClient

from apps.accounts.models import Role, Team, User
from apps.accounts.tests.factories import create_user
from apps.common.api.errors import api_exception_handler
from apps.common.web.middleware import TakenNames
from apps.inventory.models import DiskSpecification
from apps.inventory.tests.factories import create_disk
from apps.plans.tests.factories import create_plan
from apps.tuning.models import TuningProfile

AT_ONCE = 6


def statuses(user: User, address: str, body: Mapping[str, int]) -> list[int]:
    """The status of the answer to each of several simultaneous POSTs."""
    start = Barrier(AT_ONCE, timeout=60)

    def ask(_number: int) -> int:
        client = APIClient()
        client.force_authenticate(user)
        start.wait()
        try:
            return int(client.post(address, body, format="json").status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return list(threads.map(ask, range(AT_ONCE)))


@pytest.fixture
def owner(transactional_db: None) -> User:
    return create_user(role=Role.DISK_OWNER)


def test_copies_of_a_plan_get_a_name_each(owner: User) -> None:
    plan = create_plan(owner=owner)
    assert statuses(owner, f"/api/v1/plans/{plan.pk}/clone/", {}) == [201] * AT_ONCE


def test_copies_of_a_tuning_get_a_name_each(owner: User) -> None:
    tuning = TuningProfile.objects.create(name="no scheduler", owner=owner)
    assert statuses(owner, f"/api/v1/tunings/{tuning.pk}/clone/", {}) == [201] * AT_ONCE


def test_what_a_disk_is_expected_to_do_is_one_row(owner: User) -> None:
    disk = create_disk()
    asked = {"sla_iops": 1000}
    assert statuses(owner, f"/api/v1/disks/{disk.pk}/specification/", asked) == [200] * AT_ONCE
    assert DiskSpecification.objects.get().sla_iops == 1000


@pytest.mark.django_db
def test_a_row_that_somebody_else_made_first_is_a_conflict() -> None:
    Team.objects.create(name="Storage")
    with pytest.raises(IntegrityError) as caught, transaction.atomic():
        Team.objects.create(name="Storage")
    answer = api_exception_handler(caught.value, {})
    assert answer is not None
    assert answer.status_code == 409
    page = TakenNames(lambda _request: None).process_exception(  # type: ignore[arg-type] # never called
        RequestFactory().get("/teams/add/"), caught.value
    )
    assert page is not None
    assert page.status_code == 409
    assert b"Somebody else has just made the same" in page.content  # type: ignore[attr-defined] # it is no stream
