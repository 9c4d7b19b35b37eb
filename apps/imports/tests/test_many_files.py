"""The preview of thousands of files asks the database as often as that of a hundred."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import, ImportFile
from apps.imports.services.bundling import StoredHeads, groups_of
from apps.imports.tests.factories import create_import, sample, team_files

BUDGET = 14


@pytest.fixture
def large(owner: User) -> Import:
    """An import of 300 files: the read one 300 times."""
    imported = create_import(
        owner, [ArchiveEntry("0.txt", sample("rados", "12.2--rand-before-tuning"))]
    )
    first = imported.files.get()
    for number in range(2, 301):
        first.pk, first.number, first.path = None, number, f"{number}.txt"
        first._state.adding = True
        first.save()
    assert ImportFile.objects.filter(batch=imported).count() == 300
    return imported


def test_the_page_has_a_budget(
    owner_client: Client, large: Import, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(BUDGET):
        page = owner_client.get(f"/imports/{large.pk}/")
    assert page.status_code == 200


def test_keeping_what_is_typed_has_a_budget(
    owner_client: Client, large: Import, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    said = {f"{n}-tuning_name": "x" for n in range(1, 101)} | {"name": "named"}
    with django_assert_max_num_queries(BUDGET):
        owner_client.post(f"/imports/{large.pk}/names/", said)
    assert large.files.filter(tuning_name="x").count() == 100


def test_files_that_names_decide_are_not_looked_into(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    data = sample("fio", "3.33--json-fsync")
    imported = create_import(owner, (ArchiveEntry(f"results/{n}.json", data) for n in range(40)))
    with django_assert_num_queries(1):
        groups = groups_of(StoredHeads(imported.files.all()))
    assert len(groups) == 40


def test_a_head_is_one_query(
    owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    imported = create_import(owner, team_files())
    heads = StoredHeads(imported.files.all())
    with django_assert_num_queries(1):
        assert "rados--seq_before_tuning.txt" in heads
        assert b"hints = 1" in heads["rados--seq_before_tuning.txt"]
