"""The agent that tests start from their own process has bytecode beside its sources.

To compile the sources takes an eighth of a second of a processor at each start of a session, more
than all that most of these sessions are for. The file as benchlab ships it has its own tests
(apps/remote/tests/test_bootstrap.py), and every benchlab that is started as a program ships it.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator

import pytest

from apps.remote import session
from apps.remote.agent_tests.client import compiled
from apps.remote.build import Agent


@functools.cache
def quick_agent() -> Agent:
    """The agent of this checkout with bytecode of this Python; another reads the sources."""
    data = compiled()
    return Agent(data, hashlib.sha256(data).hexdigest())


@pytest.fixture(scope="session", autouse=True)
def _agents_start_quickly() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session, "agent", quick_agent)
        yield
