"""Fixtures for every test: people and clients in apps/conftest.py, hosts in a box and loop disks
from the harness.
"""

from __future__ import annotations

pytest_plugins = ["tests.harness.fixtures"]
