"""Settings before, during and after a measurement, on a case's page and in the API."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import User
from apps.results.presenters.applied_settings import settings_of
from apps.runs.models import Attempt, Case
from apps.runs.tests.factories import create_attempt, create_disk, create_host, create_run

Api = Callable[[User | None], APIClient]
DISKS = ("wwn:a", "wwn:b")


def seen(identity: str, name: str, *values: str | None) -> dict[str, str | None]:
    asked, before, value, after = values
    row = {"kind": "queue", "identity": identity, "name": name}
    return row | {"requested": asked, "before": before, "value": value, "after": after}


@pytest.fixture
def case(owner: User) -> Case:
    host = create_host(name="osd1")
    for number, identity in enumerate(DISKS):
        create_disk(host=host, owner=owner, identity=identity, device_path=f"/dev/sd{'ab'[number]}")
    return create_run(owner=owner, target=host.disks.order_by("pk")[0]).cases.get()


@pytest.fixture
def attempt(case: Case) -> Attempt:
    """Two disks behind a directory: one setting put back, one that somebody else has changed, one
    that changed along and one that nobody touched.
    """
    rows = [seen(one, "scheduler", "kyber", "none", "kyber", "none") for one in DISKS]
    rows += [seen("wwn:a", "nr_requests", None, "64", "256", "64")]
    rows += [seen("wwn:b", "read_ahead_kb", "4", "128", "4", "512")]
    rows += [seen(one, "rq_affinity", None, "1", "1", "1") for one in DISKS]
    conflict = {"kind": "queue", "identity": "wwn:b", "name": "read_ahead_kb", "actual": "512"}
    asked = [
        {"kind": "queue", "identity": "directory:/srv", "name": name, "value": value}
        for name, value in (("scheduler", "kyber"), ("read_ahead_kb", "4"))
    ]
    return create_attempt(
        case,
        spec={"commands": [], "tuning": asked},
        exit={"tuning": {"effective": rows, "conflicts": [conflict]}},
    )


def test_equal_settings_of_several_disks_are_one_row(attempt: Attempt) -> None:
    rows = settings_of(attempt)
    (own,) = attempt.case.members
    assert [(one.read.name, one.scopes) for one in rows.applied] == [
        ("scheduler", (own.label, "osd1 /dev/sdb")),
        ("nr_requests", (own.label,)),
        ("read_ahead_kb", ("osd1 /dev/sdb",)),
    ]
    (unchanged,) = rows.unchanged
    assert (unchanged.read.name, unchanged.read.during) == ("rq_affinity", "1")
    assert rows.applied[2].note == "changed by another program; not restored"


def test_the_page_shows_before_during_and_after(
    attempt: Attempt, case: Case, viewer_client: Client
) -> None:
    html = viewer_client.get(f"/cases/{case.pk}/").content.decode()
    for text in ("Requested", "Before", "During", "After", "changed along", "not restored"):
        assert text in html
    cells = [f'<td class="mono">{value}</td>' for value in ("kyber", "none", "kyber", "none")]
    assert "".join(cells) in html.replace("\n", "").replace("  ", "")


def test_the_api_tells_the_same(attempt: Attempt, case: Case, api: Api, viewer: User) -> None:
    (told,) = api(viewer).get(f"/api/v1/cases/{case.pk}/").json()["attempts"]
    rows = {(row["name"], row["identity"]): row for row in told["settings"]}
    assert len(rows) == 6
    assert rows["read_ahead_kb", "wwn:b"] == {
        "host": case.host_id, "kind": "queue", "identity": "wwn:b", "name": "read_ahead_kb",
        "requested": "4", "before": "128", "during": "4", "after": "512", "problems": ["conflicts"],
    }  # fmt: skip


def test_unapplied_setting_shows_requested_value(case: Case) -> None:
    asked = [{"kind": "sysctl", "identity": "", "name": "vm.swappiness", "value": "1"}]
    attempt = create_attempt(case, spec={"commands": [], "tuning": asked}, exit={"tuning": {}})
    (row,) = settings_of(attempt).applied
    assert (row.read.requested, row.read.during) == ("1", None)
