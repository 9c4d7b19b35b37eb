"""Conditions of a case: which parameters are set, unknown or at their default."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from apps.accounts.models import User
from apps.plans.models import Workload
from apps.results.presenters.conditions import ConditionKind, conditions_of_workload
from apps.results.services.attempt_results import results_store
from apps.runs.models import Case, Run
from apps.runs.tests.factories import PARAMS, create_attempt, create_case, create_host, create_run
from apps.tools.parse_result import Measurement, Parsed


def by_name(tool: str, params: Mapping[str, Any], *, is_imported: bool) -> dict[str, ConditionKind]:
    workload = Workload(tool=tool, params=dict(params))
    found = conditions_of_workload(workload, is_imported=is_imported)
    return {one.name: one.kind for one in found}


def test_planned_workload_has_every_parameter_and_none_unknown(owner: User) -> None:
    workload = create_run(owner=owner).cases.get().workload
    kinds = by_name("fio", workload.params, is_imported=False)
    assert kinds["iodepth"] == kinds["runtime"] == ConditionKind.SET
    assert kinds["direct"] == kinds["ioengine"] == ConditionKind.DEFAULT
    assert ConditionKind.UNKNOWN not in kinds.values()
    assert kinds == by_name("fio", workload.params, is_imported=True)


def test_imported_workload_with_missing_parameters_has_them_unknown() -> None:
    kinds = by_name("fio", {"rw": "randwrite", "bs": 4096, "job": "a"}, is_imported=True)
    assert kinds["rw"] == kinds["job"] == ConditionKind.SET
    assert kinds["bs"] == ConditionKind.DEFAULT
    assert kinds["direct"] == kinds["size"] == ConditionKind.UNKNOWN
    assert "verify" not in kinds


def test_conditions_begin_with_set_parameters_and_end_with_defaults() -> None:
    workload = Workload(tool="fio", params={"rw": "randread", "bs": 4096, "iodepth": 7})
    kinds = [one.kind for one in conditions_of_workload(workload, is_imported=True)]
    assert kinds == sorted(kinds, key=list(ConditionKind).index)


@pytest.mark.parametrize(("direct", "badges"), [(False, 1), (True, 0)])
@pytest.mark.parametrize("page", ["run_detail", "case_detail"])
def test_page_of_buffered_test_has_badge(
    owner: User, viewer_client: Client, page: str, direct: bool, badges: int
) -> None:
    params = PARAMS | {"direct": direct, "ioengine": "psync", "iodepth": 1}
    case: Case = create_run(owner=owner, params=params).cases.get()
    run: Run = case.run
    key = run.pk if page == "run_detail" else case.pk
    text = viewer_client.get(reverse(page, args=[key])).content.decode()
    assert text.count('data-state="buffered"') == badges


def test_run_table_of_network_test_has_both_units(owner: User, viewer_client: Client) -> None:
    run = create_run(owner=owner)
    workload = Workload.objects.create(key="net", tool="iperf", params={}, label="TCP")
    case = create_case(run, workload, create_host())
    found = Measurement("send", 215e6, None)
    results_store(
        attempt=create_attempt(case),
        parsed=Parsed("iperf", "text", "2", (found,)),
        parser_version=1,
    )
    text = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    assert "1.720 Gbit/s" in text
    assert "215.0 MB/s" in text


def test_run_table_marks_buffered_test_once(owner: User, viewer_client: Client) -> None:
    run = create_run(
        owner=owner, params=PARAMS | {"direct": False, "ioengine": "psync", "iodepth": 1}
    )
    page = viewer_client.get(reverse("run_detail", args=[run.pk])).content.decode()
    start = page.index('<tr class="case-group">')
    head = page[start : page.index("</tr>", start)]
    assert head.count('data-state="buffered"') == 1
    assert head.lower().count("buffered") == 2  # The badge's state and its word.
