"""Fixtures of every test: hosts in a box and loop disks from the harness."""

from __future__ import annotations

from hypothesis import settings

pytest_plugins = [
    "tests.harness.database",
    "tests.harness.scheduling",
    "tests.harness.template_queries",
    "tests.harness.fixtures",
    "tests.harness.ceph_fixtures",
    "tests.harness.s3_fixtures",
]

# How long an example takes is the machine's affair: no test is about time.
settings.register_profile("benchlab", deadline=None)
settings.load_profile("benchlab")
