"""A parameter is compared among the results that have it."""

from __future__ import annotations

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.analysis.tests.compare.factories import PARAMS, Setup, create_measured_run
from apps.analysis.verdicts.comparison import compare_runs
from apps.plans.models import Workload
from apps.results.models import Measurement
from apps.results.services.summary_table import summaries_rebuild
from apps.runs.models import Run
from apps.tools.registry import tool
from apps.tools.values import Parameters
from tests.harness.documents import Changes

pytestmark = pytest.mark.django_db
DEPTHS = [PARAMS | {"iodepth": depth} for depth in (8, 64)]


def of_another_tool(owner: User) -> Run:
    """Three results of dd, which has no queue depth."""
    run = create_measured_run(
        Setup(owner, tunings=("Host defaults",), points=DEPTHS[:1], repeats=3)
    )
    params: Parameters = {"direction": "write", "bs": 4096}
    workload = Workload.objects.create(key="d" * 24, tool="dd", params=params, label="write 4 KiB")
    run.cases.update(workload=workload)
    Measurement.objects.filter(case__run=run).update(workload=workload)
    summaries_rebuild()
    return run


def test_another_tools_results_are_no_level(owner: User) -> None:
    fio = create_measured_run(Setup(owner, tunings=("Host defaults",), points=DEPTHS))
    comparison = compare_runs(runs=[fio.pk, of_another_tool(owner).pk], factor="param:iodepth")
    assert comparison.levels == ("Queue depth 8", "Queue depth 64")
    (reason,) = comparison.left_out.results
    assert "no parameter “Queue depth”" in reason
    assert comparison.left_out.results[reason] == 3
    assert (comparison.used, comparison.alone) == (12, 0)


def test_the_page_and_the_api_say_how_many_were_left_out(owner: User, owner_client: Client) -> None:
    fio = create_measured_run(Setup(owner, tunings=("Host defaults",), points=DEPTHS))
    query = f"run={fio.pk}&run={of_another_tool(owner).pk}&factor=param:iodepth"
    page = owner_client.get(f"/compare/?{query}").content.decode()
    assert "3 results left out:" in page
    assert "not set" not in page
    found = owner_client.get(f"/api/v1/compare/?{query}").json()
    assert list(found["excluded_results"].values()) == [3]


def test_a_parameter_that_came_later_has_its_value_before(owner: User) -> None:
    """It is not part of what was stored while nobody used it."""
    fio = tool("fio").params
    assert fio is not None
    plain: Changes = fio.from_raw({"rw": "randwrite"}).canonical()
    assert "fdatasync" not in plain
    points = [plain, fio.from_raw({"rw": "randwrite", "fdatasync": 1}).canonical()]
    run = create_measured_run(Setup(owner, tunings=("Host defaults",), points=points))
    comparison = compare_runs(runs=[run.pk], factor="param:fdatasync")
    assert [label.rpartition(" ")[0] for label in comparison.levels] != ["not", "not"]
    assert len(comparison.levels) == 2
    assert not any("not set" in label for label in comparison.levels)
    assert comparison.left_out.results == {}
