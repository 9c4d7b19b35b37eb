"""An OSD on a host of its own stops and starts during a client's load, by that host's agent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from apps.remote.agent.ceph.daemons import is_ready, process_of
from tests.e2e.lab import add_box, assert_state, cases, checked, ended, until
from tests.e2e.stack import JSON, Stack
from tests.e2e.test_behind_a_pool import NAMES, Behind, _connect, cluster
from tests.e2e.test_disturbance import APPROVER, USER
from tests.harness.ceph_fixtures import let_in
from tests.harness.loops import loop_disk
from tests.harness.netns_host import NetnsHost

__all__ = ["cluster"]
pytestmark = [
    pytest.mark.e2e, pytest.mark.needs_root, pytest.mark.extended, pytest.mark.timeout(1200)
]  # fmt: skip
OSD = 3
