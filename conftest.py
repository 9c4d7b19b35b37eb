"""Fixtures for every test: people and clients in apps/conftest.py, hosts in a box and loop disks
from the harness.
"""

from __future__ import annotations

import threading
from typing import Any

from django.db.backends.signals import connection_created
from django.dispatch import receiver
from hypothesis import settings

pytest_plugins = [
    "tests.harness.database",
    "tests.harness.choosing",
    "tests.harness.scheduling",
    "tests.harness.messages",
    "tests.harness.quick_agent",
    "tests.harness.fixtures",
    "tests.harness.ceph_fixtures",
    "tests.harness.s3_fixtures",
]

# How long an example takes is the machine's affair: no test is about time.
settings.register_profile("benchlab", deadline=None)
settings.load_profile("benchlab")


@receiver(connection_created)
def _prepares_any_state(connection: Any, **_: Any) -> None:
    """A test prepares what it looks at, in whatever state; threads of benchlab's own, as the
    engine's, are held to the table (apps.runs.transitions).
    """
    if threading.current_thread() is threading.main_thread():
        with connection.cursor() as cursor:
            cursor.execute("SET benchlab.any_state = 'on'")
