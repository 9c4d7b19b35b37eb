"""Acceptances: start, cancel, advance and decide; pages and API."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from django.core.exceptions import PermissionDenied
from django.test import Client

from apps.acceptance.models import Acceptance
from apps.acceptance.presenters import lot_csv, summary_text
from apps.acceptance.schemas import SAMPLE, AcceptanceProfile
from apps.acceptance.selectors.acceptances import accepted_disks
from apps.acceptance.services.acceptances import (
    AcceptanceDraft,
    acceptance_cancel,
    acceptance_delete,
    acceptance_start,
    findings_store,
)
from apps.acceptance.services.advance import acceptances_advance
from apps.acceptance.tests.factories import create_acceptance, fill_end
from apps.accounts.models import AuditEntry, User
from apps.common.errors import ServiceError
from apps.inventory.models import Disk, Host
from apps.inventory.tests.factories import create_disk, create_disk_model, create_host
from apps.results.models import Measurement
from apps.runs.models import CaseState, Run, RunState
from apps.runs.services.artifacts import artifact_of

pytestmark = pytest.mark.django_db


def draft(*disks: Disk, **fields: object) -> AcceptanceDraft:
    return AcceptanceDraft(name="Delivery", disks=disks, **fields)  # type: ignore[arg-type] # by name


def host_with(owner: User, number: int) -> tuple[Host, list[Disk]]:
    host = create_host()
    model = create_disk_model()
    rows = [
        create_disk(host=host, enrolled_by=owner, size=32 << 30, model=model)
        for _number in range(number)
    ]
    return host, rows


def test_a_start_fills_all_disks_of_a_host_in_one_case(owner: User) -> None:
    _host, disks = host_with(owner, 3)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    case = row.fill_run.cases.get()
    assert {one.target_id for one in case.run_target.all_members} == {one.pk for one in disks}
    assert case.workload.params["verify"] == "crc32c"
    assert row.fill_run.wipe_confirmed_by is None


def test_only_a_disk_owner_starts(operator: User, owner: User) -> None:
    _host, disks = host_with(owner, 1)
    with pytest.raises(PermissionDenied):
        acceptance_start(user=operator, draft=draft(*disks))
    assert not Acceptance.objects.exists()


@pytest.mark.parametrize(
    "change",
    [{"enrolled_at": None}, {"device_path": ""}, {"backing": {"level": "raid5", "disks": 4}}],
)
def test_an_unfit_disk_refuses_the_whole_lot(owner: User, change: dict[str, object]) -> None:
    _host, disks = host_with(owner, 2)
    Disk.objects.filter(pk=disks[1].pk).update(**change)
    changed = [Disk.objects.select_related("host", "model").get(pk=one.pk) for one in disks]
    with pytest.raises(ServiceError) as refused:
        acceptance_start(user=owner, draft=draft(*changed))
    assert list(refused.value.fields) == ["disks"]
    assert not Run.objects.exists()


def test_a_disk_is_in_one_open_acceptance_only(owner: User) -> None:
    _host, disks = host_with(owner, 2)
    first = acceptance_start(user=owner, draft=draft(*disks))
    with pytest.raises(ServiceError):
        acceptance_start(user=owner, draft=draft(disks[0]))
    acceptance_cancel(acceptance=first, user=owner)
    acceptance_start(user=owner, draft=draft(disks[0]))


def test_a_sample_needs_large_disks_of_one_size(owner: User) -> None:
    _host, disks = host_with(owner, 2)
    Disk.objects.filter(pk=disks[1].pk).update(size=10**12)
    disks[1].refresh_from_db()
    profile = AcceptanceProfile(coverage=SAMPLE)
    for chosen in (disks, disks[:1]):
        with pytest.raises(ServiceError) as refused:
            acceptance_start(user=owner, draft=draft(*chosen, profile=profile))
        assert list(refused.value.fields) == ["coverage"]


def test_a_cancelled_run_ends_its_acceptance(owner: User) -> None:
    _host, disks = host_with(owner, 1)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    Run.objects.filter(pk=row.fill_run.pk).update(state=RunState.CANCELLED)
    acceptances_advance()
    row.refresh_from_db()
    assert row.state == Acceptance.State.CANCELLED


def test_a_fill_that_failed_ends_without_tests_and_without_acceptance(owner: User) -> None:
    _host, disks = host_with(owner, 2)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    row.fill_run.cases.update(state=CaseState.FAILED, reason="host is away")
    Run.objects.filter(pk=row.fill_run.pk).update(state=RunState.FAILED)
    acceptances_advance()
    row.refresh_from_db()
    assert (row.state, row.measure_run) == (Acceptance.State.ENDED, None)
    assert {one.verdict for one in row.disks.all()} == {"unclear"}


@pytest.mark.parametrize("has_output", [True, False])
def test_a_fill_that_was_not_read_back_to_the_end_accepts_no_disk(
    owner: User, *, has_output: bool
) -> None:
    _host, disks = host_with(owner, 2)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    fill_end(row.fill_run, unread=1 << 20)
    if not has_output:
        Measurement.objects.all().delete()
    acceptances_advance()
    row.refresh_from_db()
    assert (row.state, row.measure_run) == (Acceptance.State.ENDED, None)
    assert {one.verdict for one in row.disks.all()} == {"unclear"}


@pytest.mark.parametrize(
    ("line", "verdicts"),
    [
        ("crc32c: verify failed at file /dev/b offset 0, length 4096", ["unclear", "rejected"]),
        # A complaint that names no known disk may be about any of them.
        ("crc32c: verify failed at file /dev/x offset 0, length 4096", ["unclear", "unclear"]),
        ("crc32c: verify failed at fi", ["unclear", "unclear"]),
    ],
)
def test_a_retry_clears_no_corruption(owner: User, line: str, verdicts: list[str]) -> None:
    _host, disks = host_with(owner, 2)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    (first,) = fill_end(row.fill_run)
    first.jobs.update(
        spec={"targets": [{"identity": disk.identity} for disk in disks], "commands": []},
        exit={"codes": [1], "node": ["/dev/a", "/dev/b"]},
    )
    artifact_of(first, "stderr", f"{line}\n".encode()).save()
    if verdicts == ["unclear", "rejected"]:
        fill_end(row.fill_run)
    findings_store(row)
    assert [one.verdict for one in row.disks.order_by("disk")] == verdicts


def test_after_the_fill_disks_without_a_known_bus_are_measured_one_by_one(owner: User) -> None:
    _host, disks = host_with(owner, 2)
    profile = AcceptanceProfile(repeats=2)
    row = acceptance_start(user=owner, draft=draft(*disks, profile=profile))
    assert row.fill_run is not None
    fill_end(row.fill_run)
    acceptances_advance()
    row.refresh_from_db()
    assert row.state == Acceptance.State.MEASURING
    assert row.measure_run is not None
    assert row.measure_run.cases.count() == 2 * 4 * 2
    assert sorted(one.set_number for one in row.disks.all()) == [1, 2]


def test_a_launch_that_is_refused_is_tried_again(owner: User) -> None:
    host, disks = host_with(owner, 1)
    row = acceptance_start(user=owner, draft=draft(*disks))
    assert row.fill_run is not None
    fill_end(row.fill_run)
    Host.objects.filter(pk=host.pk).update(enabled=False)
    acceptances_advance()
    row.refresh_from_db()
    assert row.state == Acceptance.State.FILLING
    assert row.reason
    Host.objects.filter(pk=host.pk).update(enabled=True)
    acceptances_advance()
    row.refresh_from_db()
    assert (row.state, row.reason) == (Acceptance.State.MEASURING, "")


def test_only_an_ended_acceptance_is_deleted_and_its_run_stays(owner: User) -> None:
    _host, disks = host_with(owner, 1)
    row = acceptance_start(user=owner, draft=draft(*disks))
    with pytest.raises(ServiceError):
        acceptance_delete(acceptance=row, user=owner)
    acceptance_cancel(acceptance=row, user=owner)
    acceptance_delete(acceptance=row, user=owner)
    assert not Acceptance.objects.exists()
    assert Run.objects.count() == 1
    assert AuditEntry.objects.filter(action="delete", object_type="acceptance").exists()


def test_the_summary_names_the_others(owner: User) -> None:
    _host, disks = host_with(owner, 3)
    rows = accepted_disks(create_acceptance(owner, *disks, state="ended"))
    assert summary_text(rows) == "2 of 3 accepted; 1: slot 0 verify failed"
    lines = lot_csv(rows).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("host,label,model,serial,firmware,identity,verdict,reason")


def test_a_serial_is_no_formula_in_the_lot(owner: User) -> None:
    _host, disks = host_with(owner, 1)
    Disk.objects.filter(pk=disks[0].pk).update(serial="=1+1")
    rows = accepted_disks(create_acceptance(owner, *disks, state="ended"))
    assert ",'=1+1," in lot_csv(rows)


def test_the_cost_is_shown_before_anything_starts(
    owner: User, page_client: Callable[[User], Client]
) -> None:
    _host, disks = host_with(owner, 1)
    Disk.objects.filter(pk=disks[0].pk).update(serial="S1")
    fields = {
        "name": "Delivery", "serials": "S1", "coverage": "full", "repeats": "6", "seconds": "60",
        "outlier_percent": "10", "model_percent": "10", "max_degrees": "70", "max_hours": "100",
    }  # fmt: skip
    client = page_client(owner)
    page = client.post("/acceptances/new/", {**fields, "preview": "1"})
    assert page.context["cost"].waves == 1
    assert not Acceptance.objects.exists()
    client.post("/acceptances/new/", {**fields, "start": "1"})
    assert Acceptance.objects.get().disks.get().disk_id == disks[0].pk


def test_without_a_disk_no_cost_is_shown(
    owner: User, page_client: Callable[[User], Client]
) -> None:
    page = page_client(owner).post("/acceptances/new/", {"name": "x", "preview": "1"})
    assert page.status_code == 400
    assert page.context["cost"] is None
    assert "disks" in page.context["form"].errors


@pytest.mark.parametrize("serials", ["S2", "s1", "1.5E+10", "host,serial\nnowhere,S1"])
def test_a_wrong_serial_chooses_nothing(
    owner: User, page_client: Callable[[User], Client], serials: str
) -> None:
    _host, disks = host_with(owner, 1)
    Disk.objects.filter(pk=disks[0].pk).update(serial="S1")
    page = page_client(owner).post("/acceptances/new/", {"name": "x", "serials": serials})
    assert page.status_code == 400
    assert "serials" in page.context["form"].errors


def test_the_sheet_is_a_page_and_a_document(viewer_client: Client, owner: User) -> None:
    _host, disks = host_with(owner, 1)
    row = create_acceptance(owner, *disks, state="ended")
    address = f"/acceptances/{row.pk}/disks/{disks[0].pk}/"
    assert viewer_client.get(address).status_code == 200
    sheet = json.loads(viewer_client.get(f"{address}json/").content)
    assert sheet["verdict"] == "rejected"
    assert sheet["findings"][0]["rule"] == "verify"
    assert viewer_client.get(f"{address}exe/").status_code == 404
