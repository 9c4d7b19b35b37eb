"""Names of workloads beside those of other tools."""

from __future__ import annotations

import pytest

from apps.plans.domain.workload_labels import with_tool


@pytest.mark.parametrize(
    ("tool", "label", "shown"),
    [
        ("fio", "random read 4 KiB, QD 32", "random read 4 KiB, QD 32"),
        ("rados", "write 4 MiB x16", "rados write 4 MiB x16"),
        ("iperf", "iperf3 TCP forward, 8 streams", "iperf3 TCP forward, 8 streams"),
    ],
)
def test_tool_is_named_once(tool: str, label: str, shown: str) -> None:
    assert with_tool(tool, label) == shown
