"""The migrations make the tables that the models describe."""

from __future__ import annotations

import pytest
from django.core.management import call_command


@pytest.mark.django_db
def test_migrations_of_the_models_are_complete() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
