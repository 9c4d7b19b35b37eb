"""The Ceph cluster a host is a client of, from the cluster itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.remote.agent_tests.client import Client
from tests.harness.ceph import Cluster


@pytest.mark.e2e
@pytest.mark.xdist_group("ceph")
def test_the_cluster_is_named_by_its_own_id(
    base: Path, tmp_path: Path, ceph_cluster: Cluster
) -> None:
    ceph_cluster.write_client_config(tmp_path)
    with Client(base, env={"HOME": str(tmp_path)}) as client:
        answer = client.good("cluster")
    assert (answer["fsid"], answer["error"]) == (ceph_cluster.fsid, "")
    assert [osd["id"] for osd in answer["osds"]] == [0, 1, 2]
    assert "osd_op_num_shards" in answer["restart"]


def test_cluster_without_configuration_reports_reason(base: Path, tmp_path: Path) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "ceph").write_text("#!/bin/sh\necho no monitors specified >&2\nexit 1\n")
    (tools / "ceph").chmod(0o755)
    with Client(base, env={"BENCHLAB_TOOLS_PATH": str(tools)}) as client:
        answer = client.good("cluster")
    assert answer["fsid"] is None
    assert answer["error"] == "ceph fsid: no monitors specified"
