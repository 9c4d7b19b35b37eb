"""Rows of a test that commits are gone after it, and those that the migrations made are there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType

from apps.accounts.models import User
from apps.accounts.tests.factories import create_user
from tests.harness.database import KEPT, empty


@pytest.mark.django_db(transaction=True)
def test_only_what_the_migrations_made_is_left() -> None:
    kept = (ContentType, Permission)
    assert {model._meta.db_table for model in kept} == KEPT
    made = [set(model.objects.values_list("pk", flat=True)) for model in kept]
    create_user()
    empty("default")
    assert not User.objects.exists()
    assert all(made)
    assert [set(model.objects.values_list("pk", flat=True)) for model in kept] == made
