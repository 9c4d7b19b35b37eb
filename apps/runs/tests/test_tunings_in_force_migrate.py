"""Results of before that were filed under a queue's settings which no host had lent."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.db import connection

from apps.accounts.models import User
from apps.inventory.models import Directory, Disk
from apps.inventory.tests.factories import create_directory
from apps.runs.models import Case, CaseState
from apps.runs.tests.factories import create_disk, create_host, create_run
from apps.tuning.contract import Setting
from apps.tuning.models import TuningProfile

MIGRATION = import_module("apps.runs.migrations.0021_tunings_in_force")
QUEUE = Setting("queue", "scheduler", "none")
SYSCTL = Setting("sysctl", "vm.swappiness", "1")


def migrate() -> None:
    with connection.cursor() as cursor:
        cursor.execute(MIGRATION.FILE_AGAIN)


def measured(owner: User, target: Disk | Directory, *settings: Setting) -> Case:
    tuning = TuningProfile.objects.create(name="fast", settings=settings, owner=owner)
    case: Case = create_run(owner=owner, target=target, tunings=(tuning,)).cases.get()
    Case.objects.filter(pk=case.pk).update(state=CaseState.SUCCEEDED)
    return case


@pytest.mark.django_db
def test_a_result_in_a_directory_was_as_found(owner: User) -> None:
    case = measured(owner, create_directory(host=create_host(), owner=owner), QUEUE)
    migrate()
    case = Case.objects.get(pk=case.pk)
    assert (case.tuning_name, case.tuning_settings, case.tuning_id) == ("As found", (), None)
    assert case.asked_tuning.name == "fast"
    migrate()
    assert Case.objects.get(pk=case.pk).run_tuning == case.run_tuning


@pytest.mark.django_db
def test_its_other_settings_were_in_force(owner: User) -> None:
    case = measured(owner, create_directory(host=create_host(), owner=owner), QUEUE, SYSCTL)
    migrate()
    case = Case.objects.get(pk=case.pk)
    assert (case.tuning_name, case.tuning_settings) == ("fast, not the queue", (SYSCTL,))


@pytest.mark.django_db
def test_a_result_on_a_disk_stays_as_it_is(owner: User) -> None:
    case = measured(owner, create_disk(host=create_host(), owner=owner), QUEUE)
    migrate()
    assert Case.objects.get(pk=case.pk).tuning_settings == (QUEUE,)
