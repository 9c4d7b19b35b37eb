"""Tests that only their jobs' names tell apart are different, until a person says otherwise."""

from __future__ import annotations

from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.imports.domain.archives import ArchiveEntry
from apps.imports.models import Import
from apps.imports.services import import_store, import_update
from apps.imports.tests.factories import create_import, repeats_of, sample
from apps.imports.tests.test_api import Api
from apps.results.services.attempt_results import attempt_reparse
from apps.runs.models import Attempt

FIVE = "2.1.4--json-five-jobs-without-options"


def five_jobs(user: User, **said: object) -> Import:
    """One output of five jobs that says nothing of their parameters, and a second run of them."""
    first = sample("fio", FIVE)
    again = first.replace(b'"iops" : 133,', b'"iops" : 134,')
    return create_import(
        user, [ArchiveEntry("one.json", first), ArchiveEntry("two.json", again)], **said
    )


def workloads(imported: Import) -> list[tuple[str, int]]:
    assert imported.run is not None
    cases = imported.run.cases.order_by("sequence").select_related("workload")
    return [(case.workload.label, case.repeat) for case in cases]


def test_five_jobs_are_five_workloads(owner: User) -> None:
    imported = five_jobs(owner)
    assert repeats_of(imported) == {1: [1] * 5, 2: [2] * 5}
    done = import_store(imported=imported, user=owner)
    assert done.run is not None
    cases = list(done.run.cases.order_by("sequence").select_related("workload"))
    known = [(case.params.get("job"), case.params.get("group"), case.repeat) for case in cases]
    assert known[0] == ("sequential_write", None, 1)
    assert known[6] == ("sequential_read", 1, 2)
    assert len({case.workload.key for case in cases}) == 5


def test_a_person_may_say_that_names_mean_nothing(owner: User) -> None:
    imported = five_jobs(owner, ignore_job_names=True)
    assert repeats_of(imported) == {1: [1, 1, 2, 2, 3], 2: [3, 4, 4, 5, 6]}
    done = import_store(imported=imported, user=owner)
    assert {label for label, _repeat in workloads(done)} == {"write", "read"}
    # A write and a read that ran one after the other are two cases all the same.
    assert done.run is not None
    assert done.run.case_count == 10


def test_ignore_job_names_applies_to_one_file(owner: User) -> None:
    imported = five_jobs(owner)
    import_update(imported=imported, user=owner, names={}, files={2: {"ignore_job_names": True}})
    assert repeats_of(imported) == {1: [1] * 5, 2: [1, 1, 2, 2, 3]}


def test_each_is_found_again_in_a_newer_reading(owner: User) -> None:
    done = import_store(imported=five_jobs(owner), user=owner)
    attempt = Attempt.objects.get(case__run=done.run, case__sequence=3)
    attempt_reparse(attempt=attempt)
    found = attempt.measurements.get()
    assert (found.operation, found.iops) == ("read", 317)


def test_import_page_shows_distinguishing_job_names(owner_client: Client, owner: User) -> None:
    imported = five_jobs(owner)
    where = f"/imports/{imported.pk}/"
    page = owner_client.get(where).content.decode()
    assert page.count("distinguished by its job's name") == 10  # five of each file
    assert 'name="1-ignore_job_names"' in page
    said = {"1-selected": "on", "1-host_name": "", "1-target_name": "", "1-tuning_name": ""}
    owner_client.post(f"{where}names/", said | {"name": "x", "1-ignore_job_names": "on"})
    assert imported.files.get(number=1).ignore_job_names
    owner_client.post(f"{where}names/", {"name": "x", "ignore_job_names": "on"})
    assert "distinguished" not in owner_client.get(where).content.decode()


def test_scripts_say_it_too(api: Api, owner: User) -> None:
    client: APIClient = api(owner)
    where = f"/api/v1/imports/{five_jobs(owner).pk}/"
    answer = client.patch(where, {"ignore_job_names": True}).data
    assert answer["ignore_job_names"]
    assert answer["files"][1]["becomes"]["repeats"] == [3, 4, 4, 5, 6]
    changed = {"ignore_job_names": False, "files": [{"number": 1, "ignore_job_names": True}]}
    answer = client.patch(where, changed).data
    assert [each["becomes"]["repeats"] for each in answer["files"]] == [[1, 1, 2, 2, 3], [1] * 5]
