"""One row for each workload, whoever needs it first."""

from __future__ import annotations

from apps.accounts.models import User
from apps.plans.models import Workload
from apps.plans.selectors.plans import plan_preview
from apps.plans.services.workloads import workloads_ensure
from apps.plans.tests.factories import a_step, create_plan


def test_each_workload_is_stored_once_on_repeated_calls(owner: User) -> None:
    plan = create_plan(owner=owner, steps=[a_step(rw="randread", iodepth="1, 2")])
    cases = plan_preview(plan).cases
    first, again = workloads_ensure(cases), workloads_ensure(cases)
    assert set(first) == {case.workload_key for case in cases}
    assert {row.pk for row in first.values()} == {row.pk for row in again.values()}
    assert Workload.objects.count() == 2
    row = first[cases[0].workload_key]
    assert (row.tool, row.params, row.label) == ("fio", cases[0].params, cases[0].label)


def test_of_no_cases_there_are_none(db: None) -> None:
    assert workloads_ensure([]) == {}
