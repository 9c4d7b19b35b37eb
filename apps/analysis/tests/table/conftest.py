"""The sample's table, made once for all tests of a module: four of its thirteen operations, as a
case takes two dozen queries.
"""

from __future__ import annotations

import pytest

from apps.accounts.models import User
from apps.runs.models import Run

from .factories import create_table

OPERATIONS = ("write", "rewrite", "read", "reread")


@pytest.fixture(scope="module")
def module_table(module_owner: User) -> Run:
    return create_table(module_owner, operations=OPERATIONS)


@pytest.fixture
def owner(module_owner: User, db: None) -> User:
    return module_owner


@pytest.fixture
def run(module_table: Run, db: None) -> Run:
    return Run.objects.get(pk=module_table.pk)
