"""A result beside a load or under a disturbance never has the workload of the test alone."""

from __future__ import annotations

import pytest

from apps.plans.models import Workload
from apps.results.services.workloads import result_identity
from apps.runs.models import Case
from apps.tools.registry import TOOLS
from apps.tools.values import Parameters
from apps.tools.workloads.identity import planned_identity

ALONE: Parameters = {"rw": "randrw", "bs": "4k", "iodepth": 4, "size": 1 << 30, "runtime": 10}


def case_with(**added: str) -> Case:
    return Case(workload=Workload(tool="fio", key="of-the-test", params={**ALONE, **added}))


@pytest.mark.parametrize(
    "added",
    [
        {"background": "fio write 128 KiB on sdb #0a1b2c3d"},
        {"disturbance": "osd_out"},
        {"background": "fio write 128 KiB on sdb #0a1b2c3d", "disturbance": "osd_out"},
    ],
)
def test_workload_differs_by_load_and_disturbance(added: dict[str, str]) -> None:
    identity = result_identity(case_with(**added), "read")
    assert identity is not None
    assert identity.key != planned_identity(TOOLS["fio"], ALONE, "read").key
    assert added.items() <= identity.params.items()


def test_parameters_of_a_tool_have_no_load_and_no_disturbance() -> None:
    case = case_with(background="x #0a1b2c3d", disturbance="osd_out")
    assert case.tool_params == ALONE
    assert case.params == {**ALONE, "background": "x #0a1b2c3d"}
