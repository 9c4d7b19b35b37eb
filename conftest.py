"""Fixtures of every test: hosts in a box and loop disks from the harness."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from hypothesis import settings

pytest_plugins = [
    "tests.harness.database",
    "tests.harness.scheduling",
    "tests.harness.marked_files",
    "tests.harness.template_queries",
    "tests.harness.fixtures",
    "tests.harness.ceph_fixtures",
    "tests.harness.s3_fixtures",
]

# How long an example takes is the machine's affair: no test is about time. bin/test draws the same
# examples each time; `bin/test --hypothesis-profile=explore PATH` draws others.
settings.register_profile("benchlab", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("benchlab")


@pytest.fixture(scope="session", autouse=True)
def compiled_catalogues() -> None:
    """Compile the catalogues, as `manage.py setup` does before a start."""
    call_command("compilemessages")
