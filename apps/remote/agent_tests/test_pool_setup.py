"""Waiting for the placement groups of a new pool."""

from __future__ import annotations

import json

import pytest

from apps.remote.agent.ceph import pool_setup
from apps.remote.agent.ceph.ceph_cli import CephError
from apps.remote.agent.ceph.mon_connection import MonConnection, MonResponse

MISSING = MonResponse(
    "", "ceph pg ls-by-pool new --format json: Error ENOENT: pool new does not exist"
)
CLEAN = MonResponse(json.dumps({"pg_stats": [{"state": "active+clean"}] * 2}))


def responding(monkeypatch: pytest.MonkeyPatch, *responses: MonResponse) -> MonConnection:
    ceph = MonConnection({})
    left = list(responses)
    monkeypatch.setattr(ceph, "send", lambda _command: left.pop(0))
    monkeypatch.setattr(pool_setup, "POLL_SECONDS", 0.0)
    return ceph


def test_pool_that_the_manager_lacks_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    ceph = responding(monkeypatch, MISSING, CLEAN)

    pool_setup.wait_until_clean(ceph, "new", 2)

    assert pool_setup.pg_states(responding(monkeypatch, MISSING), "new") == {}


def test_other_errors_of_the_cluster_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    ceph = responding(monkeypatch, MonResponse("", "ceph pg ls-by-pool new: Error EACCES: denied"))

    with pytest.raises(CephError, match="EACCES"):
        pool_setup.wait_until_clean(ceph, "new", 2)
