"""Names of workloads beside those of other tools."""

from __future__ import annotations

import pytest

from apps.plans.cases.labels import with_tool


@pytest.mark.parametrize(
    ("tool", "label", "shown"),
    [
        ("fio", "randread 4 KiB, depth 32, 1 job", "fio randread 4 KiB, depth 32, 1 job"),
        ("iperf", "iperf3 TCP forward, 8 streams, 60 s", "iperf3 TCP forward, 8 streams, 60 s"),
    ],
)
def test_a_tool_is_said_once(tool: str, label: str, shown: str) -> None:
    assert with_tool(tool, label) == shown
